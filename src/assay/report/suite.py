"""The page of several tasks: an overview, and the verdict and findings of each task."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.audits import Audit, Finding, SuiteAudit, make_private
from assay.audits.findings import SEVERITIES
from assay.base.numbers import format_interval, format_number
from assay.base.wording import count_noun
from assay.discrimination.lambdas.verdicts import DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.report.blocks import Table
from assay.report.characters import make_text_visible, make_visible
from assay.report.page import read_asset, split_verdict, write_policy
from assay.report.parts import load_templates
from assay.report.wording import SEVERITY_PLURALS

MAX_BYTES = 2_000_000
MAX_FINDINGS = (120, 40, 12, 3)  # of a task, fewer until the page fits
MAX_SYSTEMS, MAX_TASKS, MAX_PAIRS = 100, 12, 40
MAX_CELL = 60
VERDICTS = {DISCRIMINATES: "yes", DOES_NOT_DISCRIMINATE: "no"}


@dataclass(frozen=True)
class TaskView:
    """One task on the page."""

    anchor: str
    name: str
    about: str
    lead: str
    rest: str
    severities: Sequence[tuple[str, str]]
    findings: list[tuple[Finding, str]]
    audit: Audit


def render_suite(suite: SuiteAudit, *, private: bool = False) -> str:
    """Return the page of several tasks: at most 2 MB, no network, no text of items where private."""
    audits = suite.audits
    if private:
        audits = {task: audit if audit.settings.private else make_private(audit) for task, audit in audits.items()}
    visible = {task: make_text_visible(audit) for task, audit in audits.items()}
    page = ""
    for n_findings in MAX_FINDINGS:
        page = fill_suite_template(suite, visible, n_findings)
        if len(page.encode()) <= MAX_BYTES:
            break
    return page


def fill_suite_template(suite: SuiteAudit, audits: dict[str, Audit], n_findings: int) -> str:
    """Write the page with so many findings of each task."""
    templates = load_templates()
    lead, rest = split_verdict(suite.verdict)
    style = read_asset(templates, "page.css") + read_asset(templates, "suite.css")
    settings = next(iter(audits.values())).settings
    return templates.get_template("suite.html").render(
        name=make_visible(suite.name, 120),
        about=describe_size(suite),
        lead=lead,
        rest=rest,
        tables=[table for table in (list_tasks(suite), list_systems(suite), list_pairs(suite)) if table.rows],
        tasks=[view_task(number, task, audit, n_findings) for number, (task, audit) in enumerate(audits.items())],
        left_out=[(make_visible(task, 120), reason) for task, reason in suite.left_out.items()],
        settings=settings,
        style=style,
        policy=write_policy(style, ""),
    )


def describe_size(suite: SuiteAudit) -> str:
    """Write the numbers of tasks, items and systems."""
    n_items = sum(row.n_items for row in suite.tasks)
    n_systems = max((row.n_systems for row in suite.tasks), default=0)
    if suite.comparison is not None:
        n_systems = len(suite.comparison.systems)
    names = {"task": len(suite.tasks), "item": n_items, "system": n_systems}
    return " · ".join(count_noun(n, name) for name, n in names.items())


def view_task(number: int, task: str, audit: Audit, n_findings: int) -> TaskView:
    """Return what the page shows of one task."""
    lead, rest = split_verdict(audit.verdict)
    counts = {severity: sum(row.severity == severity for row in audit.findings) for severity in SEVERITIES}
    words = [
        (severity, f"{n} {severity if n == 1 else SEVERITY_PLURALS[severity]}") for severity, n in counts.items() if n
    ]
    findings = [(finding, write_value(finding)) for finding in audit.findings[:n_findings]]
    about = f"{count_noun(audit.data.rows, 'item')} · {audit.data.task}"
    return TaskView(f"task-{number + 1}", make_visible(task, 120), about, lead, rest, words, findings, audit)


def write_value(finding: Finding) -> str:
    """Write the value of a finding with its interval; nothing where it has none, or where the interval is of chance."""
    if not math.isfinite(finding.value):
        return ""
    if math.isfinite(finding.low) and finding.low <= finding.value <= finding.high:
        return format_interval(finding.value, finding.low, finding.high)
    return format_number(finding.value)


def list_tasks(suite: SuiteAudit) -> Table:
    """Return one row per task."""
    columns = ["task", "kind", "items", "systems", "mean score", "tells systems apart", "redundancy", "findings"]
    rows = [
        [
            *(row.task, row.kind, format_number(row.n_items), format_number(row.n_systems), write_score(row.mean)),
            *(
                VERDICTS.get(row.discriminates or "", row.discriminates or "not measured"),
                write_score(row.redundancy, 2),
                write_counts(row),
            ),
        ]
        for row in suite.tasks
    ]
    method = (
        "Mean score: over the systems, in percent where the scale is known. Tells systems apart: test of equal systems "
        "over the items (p < 0.05). Redundancy: R\u00b2 of a prediction of the task's scores from the other tasks, each "
        "system left out in turn; near 1 the task adds no ranking of its own, below 0 the others do not predict it."
    )
    return make_table("Tasks", columns, rows, method)


def list_systems(suite: SuiteAudit) -> Table:
    """Return one row per system: the mean over tasks, its rank, and the scores of the first tasks."""
    comparison = suite.comparison
    if comparison is None:
        return Table("Systems", [], [], "")
    shown = [row.task for row in comparison.tasks[:MAX_TASKS]]
    rows = [
        [
            *(row.system, write_score(row.score), format_number(row.rank) if row.rank else ""),
            "" if row.rank_low is None else f"{row.rank_low}\u2013{row.rank_high}",
            *(write_score(score) for score in row.scores[:MAX_TASKS]),
        ]
        for row in comparison.systems[:MAX_SYSTEMS]
    ]
    by = comparison.ranked_by or "score"
    method = (
        f"Ranked by {by} over all tasks, for systems that have all of them. The interval of the rank holds for all "
        "systems at once, with tasks and items resampled."
    )
    method += f" {comparison.reason}." if comparison.reason else ""
    return make_table("Systems over all tasks", ["system", "score", "rank", "rank interval", *shown], rows, method)


def list_pairs(suite: SuiteAudit) -> Table:
    """Return the pairs of tasks, those that rank the systems most alike first."""
    pairs = () if suite.comparison is None else suite.comparison.pairs
    rows = [
        [pair.first, pair.second, format_interval(pair.value, pair.low, pair.high), format_number(pair.n)]
        for pair in pairs[:MAX_PAIRS]
        if math.isfinite(pair.value)
    ]
    method = (
        "Spearman's rank correlation of the scores over the systems that have both tasks, with the 95 % interval of "
        "Bonett and Wright (2000); few systems give a wide one."
    )
    return make_table("Tasks that rank systems alike", ["task", "task", "rank correlation", "systems"], rows, method)


def make_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], method: str) -> Table:
    """Return a table that is safe to show."""
    cells = [[make_visible(cell, MAX_CELL) for cell in row] for row in rows]
    return Table(title, [make_visible(name, MAX_CELL) for name in columns], cells, method)


def write_score(value: float, digits: int = 1) -> str:
    """Write a score with one decimal; empty where there is none."""
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}") if math.isfinite(value) else ""


def write_counts(row: object) -> str:
    """Write the numbers of findings of a task."""
    counts = {"error": "n_errors", "warning": "n_warnings", "note": "n_notes"}
    parts = [count_noun(getattr(row, name), noun) for noun, name in counts.items() if getattr(row, name)]
    return ", ".join(parts) or "none"
