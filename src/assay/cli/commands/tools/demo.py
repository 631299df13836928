"""`assay demo`: a full quick audit of bundled real data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.options import output_options
from assay.cli.paths import OUTPUT, OutputFolder, Verb

if TYPE_CHECKING:
    from assay.data.bundled import BundledBenchmark


@click.command(cls=Verb)
@click.argument("name", default="arguments", metavar="[NAME]")
@click.option(
    "-o", "--out", type=OUTPUT, default="report.html", show_default=True, metavar="FILE", help="File of the report."
)
@click.option("--list", "list_", is_flag=True, help="List the bundled benchmarks and exit.")
@click.option(
    "--files",
    "folder",
    type=OutputFolder(),
    metavar="DIR",
    help="Copy the files of the benchmark into this folder instead of auditing them.",
)
@click.option("--no-cache", is_flag=True, help="Store no finished work, and reuse none of earlier runs.")
@output_options
def demo(
    name: str,
    out: str,
    list_: bool,
    folder: str | None,
    json_: str | None,
    seed: int,
    n_jobs: int,
    backend: str | None,
    no_cache: bool,
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
    from assay.system.files import create_folder
    from assay.views.results import wrap_result

    if list_:
        show_table(
            "Demos", ["name", "benchmark", "licence"], [(row.name, row.title, row.licence) for row in BUNDLED.values()]
        )
        return
    bundled = get_bundled(name)
    if folder is not None:
        copy_files(bundled, create_folder(folder))
        return
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


def copy_files(bundled: BundledBenchmark, folder: Path) -> None:
    """Copy the files of a benchmark into a folder, and say so."""
    from assay.cli.output import say
    from assay.system.files import copy_file, write_together

    with write_together():
        for file in bundled.files:
            source = bundled.find(file)
            copy_file(source, folder / source.name)
    say(f"Wrote {' and '.join(str(folder / name) for name in bundled.files.values())}.")
