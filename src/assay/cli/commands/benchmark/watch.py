"""`assay watch`: a short audit whenever a run of an evaluation harness has finished."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.base.errors import AssayError, UsageError, name_flag
from assay.cli.interrupts import get_interrupt_status
from assay.cli.options import json_option, number_option
from assay.cli.output import say
from assay.cli.paths import INPUT, OUTPUT, Verb
from assay.cli.results import finish, table_options


@click.command(cls=Verb)
@click.argument("logs", type=INPUT, nargs=-1, required=True, metavar="LOGS...")
@click.option("-o", "--out", type=OUTPUT, metavar="FILE", help="File of the report.  [next to the logs]")
@click.option("--once", is_flag=True, help="Audit the files that exist, and end.")
@number_option("--every", 5.0, "How often to check the folder.", at_least=0.1, metavar="SECONDS")
@number_option(
    "--settle", 10.0, "A run has finished when its files have not changed for this long.", at_least=0, metavar="SECONDS"
)
@number_option("--budget", 5.0, "Stop an audit after this time and leave out unfinished checks.", metavar="MINUTES")
@click.option("--only", metavar="NAMES", help="Run only these sections, separated by commas.")
@click.option("--skip", metavar="NAMES", help="Do not run these sections, separated by commas.")
@click.option("--private", is_flag=True, help="Do not write the text of any item, not even to the cache.")
@json_option
@table_options  # fmt: skip
def watch(
    logs: tuple[str, ...],
    out: str | None,
    once: bool,
    every: float,
    settle: float,
    budget: float,
    only: str | None,
    skip: str | None,
    private: bool,
    json_: str | None,
) -> None:
    """Print a short audit whenever a run has finished in a folder of LOGS, and write the report next to them.

    With --once, LOGS can also be single log files; the command audits the files that exist and ends.
    """
    from assay.cli.commands.benchmark.audit import split_names
    from assay.integrations.short_audits import audit_runs

    def run() -> None:
        result = audit_runs(
            logs, out, budget=budget, only=split_names(only), skip=split_names(skip), private=private, cache=True
        )
        finish("watch", result, json_, {"budget": budget, "private": private or None})

    if once:
        run()
        return
    if len(logs) > 1 or not Path(logs[0]).is_dir():
        from assay.data.readers.files import missing_file

        if len(logs) == 1 and not Path(logs[0]).exists():
            raise missing_file(Path(logs[0]))
        raise UsageError("needs one folder of logs", place="LOGS", hint="Audit files with --once.")
    from assay.integrations.watching import list_log_files, wait_for_runs

    folder = Path(logs[0])
    known = list_log_files(folder)
    say(f"Waiting for runs to finish in {folder}. End with Ctrl-C.")
    try:
        for _ in wait_for_runs(folder, every, settle, known=known):
            try:
                run()
            except AssayError as error:
                say(f"Warning: the logs were not audited: {error.phrase(name_flag)}")
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(get_interrupt_status()) from None
