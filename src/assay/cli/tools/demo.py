"""`assay demo`: a full quick audit of bundled real data."""

from __future__ import annotations

import click

from assay.cli.options import output_options
from assay.cli.paths import OUTPUT, Verb


@click.command(cls=Verb)
@click.option(
    "-o", "--out", type=OUTPUT, default="report.html", show_default=True, metavar="FILE", help="Where the report goes."
)
@click.option("--no-cache", is_flag=True, help="Keep nothing, and reuse nothing from earlier runs.")
@output_options
def demo(out: str, json_: str | None, seed: int, n_jobs: int, backend: str | None, no_cache: bool) -> None:
    """Audit bundled real data with real systems: argument reasoning comprehension, SemEval-2018 Task 12."""
    from assay.audits import audit
    from assay.base.results import wrap_result
    from assay.cli.audit_progress import show_progress
    from assay.cli.commands.audit import print_audit, write_report
    from assay.cli.output import say, write_json
    from assay.data.bundled import find_bundled
    from assay.kinds import read

    data = read(find_bundled())
    for note in data.notes:
        say(note)
    with show_progress() as progress:
        result = audit(
            data,
            predictions=find_bundled("predictions"),
            n_jobs=n_jobs,
            backend=backend,
            cache=not no_cache,
            random_state=seed,
            progress=progress,
        )
    if json_:
        write_json(json_, wrap_result("demo", result, {"seed": seed}, data))
    write_report(result, out, None, None)
    if json_ != "-":
        print_audit(result, "text")
