"""`assay demo`: a full quick audit of bundled real data."""

from __future__ import annotations

import click

from assay.cli.options import output_options
from assay.cli.paths import OUTPUT, Verb


@click.command(cls=Verb)
@click.argument("name", default="arguments", metavar="[NAME]")
@click.option(
    "-o", "--out", type=OUTPUT, default="report.html", show_default=True, metavar="FILE", help="File of the report."
)
@click.option("--list", "list_", is_flag=True, help="List the bundled benchmarks and exit.")
@click.option("--no-cache", is_flag=True, help="Keep nothing, and reuse nothing from earlier runs.")
@output_options
def demo(
    name: str, out: str, list_: bool, json_: str | None, seed: int, n_jobs: int, backend: str | None, no_cache: bool
) -> None:
    """Audit bundled real data with real systems; --list names the benchmarks.

    Without a NAME: argument reasoning comprehension, SemEval-2018 Task 12.
    """
    from assay.audits import audit
    from assay.cli.audit_progress import show_progress
    from assay.cli.commands.benchmark.audit import print_audit, write_report
    from assay.cli.output import say, show_table, write_json
    from assay.data.bundled import BUNDLED, get_bundled
    from assay.kinds import read
    from assay.views.results import wrap_result

    if list_:
        show_table(
            "Demos", ["name", "benchmark", "licence"], [(row.name, row.title, row.licence) for row in BUNDLED.values()]
        )
        return
    bundled = get_bundled(name)
    data = read(bundled.find("data"))
    for note in data.notes:
        say(note)
    with show_progress() as progress:
        result = audit(
            data,
            predictions=bundled.find("predictions"),
            reviewed=bundled.reviewed,
            n_jobs=n_jobs,
            backend=backend,
            cache=not no_cache,
            random_state=seed,
            progress=progress,
        )
    if json_:
        write_json(json_, wrap_result("demo", result, {"seed": seed}, data))
    for note in write_report(result, out):
        say(note)
    if json_ != "-":
        print_audit(result, "text")
