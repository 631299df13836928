"""`assay demo`: a full quick audit of bundled real data."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import output_options
from assay.cli.paths import OUTPUT, Verb


@click.command(cls=Verb)
@click.option(
    "-o", "--out", type=OUTPUT, default="report.html", show_default=True, metavar="FILE", help="Where the report goes."
)
@click.option("--no-cache", is_flag=True, help="Keep nothing, and take nothing from earlier runs.")
@output_options
def demo(out: str, json_: str | None, seed: int, n_jobs: int, backend: str | None, no_cache: bool) -> None:
    """Audit bundled real data with real systems: argument reasoning comprehension, SemEval-2018 Task 12."""
    from assay.audits import audit
    from assay.base.results import wrap_result
    from assay.cli.audit import show, write_report
    from assay.cli.audit_progress import progress
    from assay.cli.output import say, write_json
    from assay.data.bundled import find_bundled
    from assay.kinds import read

    data = read(find_bundled())
    for note in data.notes:
        say(note)
    work: dict[str, Any] = {"n_jobs": n_jobs, "backend": backend, "cache": not no_cache, "random_state": seed}
    with progress() as tell:
        found = audit(data, predictions=find_bundled("predictions"), progress=tell, **work)
    if json_:
        write_json(json_, wrap_result("demo", found.to_dict(), {"seed": seed}, data))
    if json_ != "-":
        show(found.to_dict(), "text")
    write_report(found, out, None, None)
