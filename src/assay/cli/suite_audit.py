"""`assay audit` of logs with several tasks: one page, one JSON file, one exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.errors import UsageError
from assay.base.parameters import Options
from assay.cli.interrupts import get_interrupt_status
from assay.cli.output import append_step_summary, print_export, say, write_json
from assay.cli.results import print_blocks, shows_result, write_tables
from assay.views.rendering import render_markdown
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.audits import SuiteAudit
    from assay.kinds import TaskData

ONE_TASK = ("predictions", "scores", "votes", "verdicts", "card", "croissant", "figures", "folds_out")


def run_suite(tasks: TaskData, options: Options) -> None:
    """Audit all tasks, write what was requested, and exit with the status of the check."""
    from assay.audits.failing import has_failed

    validate_suite_options(options)
    result = audit_tasks(tasks, options)
    write_suite(result, options)
    if options["step_summary"]:
        append_step_summary(render_markdown(result.blocks(), "assay audit") + "\n")
    if shows_result(options["json_"]):
        print_suite(result, options["format_"])
    if result.interrupted:
        say("Interrupted: finished tasks are kept; a rerun continues from there.")
        raise SystemExit(get_interrupt_status())
    if (options["check"] or options["fail_on"]) and has_failed(result.findings, options["fail_on"] or ("error",)):
        raise SystemExit(1)


def validate_suite_options(options: Options) -> None:
    """Refuse what needs a single task, before any work is done."""
    from assay.cli.commands.benchmark.audit import validate_options

    for name in ONE_TASK:
        if options[name]:
            raise UsageError("is for one task, and the logs have several.", option=name, hint="Choose one: {log_task}.")
    validate_options(None, options, several_tasks=True)


def audit_tasks(tasks: TaskData, options: Options) -> SuiteAudit:
    """Run the audits, showing their progress."""
    from assay.audits import audit_suite
    from assay.cli.audit_progress import show_progress
    from assay.cli.commands.benchmark.audit import choose_settings

    with show_progress() as progress:
        return audit_suite(tasks, progress=progress, **choose_settings(options))


def write_suite(result: SuiteAudit, options: Options) -> None:
    """Write JSON, the table of items and the page."""
    from assay.audits.outputs import write_items
    from assay.cli.commands.benchmark.audit import write_text
    from assay.report import render_suite
    from assay.system.files import write_together

    note = ""
    with write_together():
        if options["json_"]:
            settings = {"quick": options["quick"], "private": options["private"] or None, "seed": options["seed"]}
            write_json(options["json_"], wrap_result("audit", result, settings))
        write_tables(result)
        if options["items"]:
            write_items(options["items"], result.join_items())
        if options["out"]:
            note = write_text(options["out"], render_suite(result))
    if note:
        say(note)


def print_suite(result: SuiteAudit, format_: str) -> None:
    """Print the tasks, the systems and the verdict; or what a machine reads."""
    from assay.report.exports import export_suite

    if format_ != "text":
        print_export(export_suite(result, format_), format_)
        return
    print_blocks(result.blocks())
