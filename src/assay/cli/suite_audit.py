"""`assay audit` of logs with several tasks: one page, one JSON file, one exit status."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.base.errors import UsageError
from assay.base.numbers import format_interval, format_number
from assay.cli.interrupts import get_interrupt_status
from assay.cli.output import echo, print_export, say, show_table, wrap_words, write_json
from assay.views.results import wrap_result

if TYPE_CHECKING:
    from assay.audits import SuiteAudit
    from assay.kinds import TaskData

ONE_TASK = ("predictions", "scores", "votes", "verdicts", "card", "croissant", "figures", "folds_out")
MAX_ROWS = 30


def run_suite(tasks: TaskData, options: dict[str, Any]) -> None:
    """Audit all tasks, write what was requested, and exit with the status of the check."""
    from assay.audits.failing import has_failed

    validate_suite_options(options)
    result = audit_tasks(tasks, options)
    write_suite(result, options)
    if options["json_"] != "-":
        print_suite(result, options["format_"])
    if result.interrupted:
        say("Interrupted: finished tasks are kept; a rerun continues from there.")
        raise SystemExit(get_interrupt_status())
    if (options["check"] or options["fail_on"]) and has_failed(result.findings, options["fail_on"] or ("error",)):
        raise SystemExit(1)


def validate_suite_options(options: dict[str, Any]) -> None:
    """Refuse what needs a single task, before any work is done."""
    from assay.cli.commands.audit import validate_options

    for name in ONE_TASK:
        if options[name]:
            raise UsageError("is for one task, and the logs have several.", option=name, hint="Choose one: {log_task}.")
    validate_options(None, options, several_tasks=True)


def audit_tasks(tasks: TaskData, options: dict[str, Any]) -> SuiteAudit:
    """Run the audits, showing their progress."""
    from assay.audits import audit_suite
    from assay.cli.audit_progress import show_progress
    from assay.cli.commands.audit import choose_settings

    with show_progress() as progress:
        return audit_suite(tasks, progress=progress, **choose_settings(options))


def write_suite(result: SuiteAudit, options: dict[str, Any]) -> None:
    """Write JSON, the table of items and the page."""
    from assay.audits.outputs import write_items
    from assay.base.files import write_together
    from assay.cli.commands.audit import write_text
    from assay.report import render_suite

    note = ""
    with write_together():
        if options["json_"]:
            settings = {"quick": options["quick"], "private": options["private"] or None, "seed": options["seed"]}
            write_json(options["json_"], wrap_result("audit", result, settings))
        if options["items"]:
            write_items(options["items"], result.join_items())
        if options["out"]:
            note = write_text(options["out"], render_suite(result))
    if note:
        say(note)


def print_suite(result: SuiteAudit, format_: str) -> None:
    """Print a row per task, the systems, and the verdict; or what a machine reads."""
    from assay.cli.commands.audit import COLOURS, find_width
    from assay.report.exports import export_suite
    from assay.report.suite.tables import VERDICTS

    if format_ != "text":
        print_export(export_suite(result, format_), format_)
        return
    columns = ["task", "items", "systems", "mean", "errors", "warnings", "notes", "tells systems apart", "redundancy"]
    rows = [
        (
            *(row.task, format_number(row.n_items), row.n_systems, format_number(row.mean)),
            *(row.n_errors, row.n_warnings, row.n_notes),
            *(VERDICTS.get(row.discriminates or "", row.discriminates or ""), write_known(row.redundancy)),
        )
        for row in result.tasks
    ]
    show_filled("Tasks", columns, rows)
    if result.comparison is not None:
        systems = [
            (row.system, row.n_tasks, write_known(row.score), row.rank or "", write_ranks(row.rank_low, row.rank_high))
            for row in result.comparison.systems[:MAX_ROWS]
        ]
        is_rate = (result.comparison.ranked_by or "").startswith("win rate")  # tasks of several scales have no mean
        show_filled("Systems", ["system", "tasks", "win rate" if is_rate else "score", "rank", "ranks"], systems)
        pairs = [
            (pair.first, pair.second, format_interval(pair.value, pair.low, pair.high), pair.n)
            for pair in result.comparison.pairs[:MAX_ROWS]
            if pair.value == pair.value
        ]
        if pairs:
            show_table("Tasks that rank systems alike", ["task", "task", "Spearman", "systems"], pairs)
    for task, reason in result.left_out.items():
        echo(f"Left out: {task}: {reason}")
    severities = [finding.severity for finding in result.findings]
    worst = next((severity for severity in ("error", "warning", "note") if severity in severities), None)
    echo(wrap_words(result.verdict, find_width()), fg=COLOURS.get(worst, "green"), bold=True)


def show_filled(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table without the columns that are empty throughout."""
    kept = [place for place in range(len(columns)) if any(row[place] != "" for row in rows)]
    show_table(title, [columns[place] for place in kept], [[row[place] for place in kept] for row in rows])


def write_known(value: float) -> str:
    """Write a number, or nothing if it is undefined."""
    return format_number(value) if math.isfinite(value) else ""


def write_ranks(low: int | None, high: int | None) -> str:
    """Write an interval of ranks."""
    return "" if low is None or high is None else f"{low}–{high}"
