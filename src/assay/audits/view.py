"""Tables and sentences of audits: the first screen, findings, differences between two audits, and several tasks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.base.errors import join_names
from assay.discrimination.lambdas.verdicts import DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.views.blocks import Block, Column, Sentence, Table, Value, format_value, make_table

if TYPE_CHECKING:
    from assay.audits.compare import AuditComparison, ChangedFinding
    from assay.audits.overview import Overview
    from assay.audits.result import Audit
    from assay.audits.suite.results import SuiteAudit
    from assay.checks.findings import Finding
    from assay.discrimination.suites import SuiteSystem, TaskComparison

OVERVIEW, ACTIONS, FINDINGS = "Six questions", "Do first", "Findings"  # titles of tables
PROPOSALS = ("keep", "repair", "retire")
ANSWERS = {DISCRIMINATES: "yes", DOES_NOT_DISCRIMINATE: "no"}
MAX_SYSTEMS, MAX_TASKS, MAX_PAIRS = 100, 12, 40


def show_audit(audit: Audit) -> Iterator[Block]:
    """Yield the findings, what could not be checked, the counts, the first screen and the verdict."""
    yield from show_findings(audit.findings)
    yield from make_table(
        "Ignored",
        audit.ignored,
        {
            "severity": lambda row: row.severity,
            "code": lambda row: row.code,
            "finding": lambda row: row.claim,
            "reason": lambda row: row.reason,
        },
    )
    sections = list(audit.sections.values())
    yield from make_table(
        "Sections",
        sections if any(section.reason for section in sections) else (),
        {"section": lambda row: row.name, "status": lambda row: row.status, "reason": lambda row: row.reason or ""},
    )
    yield from show_counts(audit)
    yield from show_overview(audit.overview)
    yield Sentence(audit.verdict, is_verdict=True)


def show_findings(findings: Sequence[Finding]) -> Iterator[Block]:
    """Yield one row per finding, the most serious first."""
    rows: list[list[Value]] = [[row.severity, row.code, row.claim, row.action, row] for row in findings]
    yield Table(FINDINGS, ["severity", "code", "finding", "what to do", "value"], rows, is_main=True)


def show_counts(audit: Audit) -> Iterator[Block]:
    """Yield what is proposed for datasets and items, and how many checks were made."""
    discrimination = audit.evidence.discrimination
    rows = [] if discrimination is None else [row for row in discrimination.datasets if row.proposal]
    metrics = Counter((row.benchmark, row.dataset) for row in rows)
    names: dict[str, list[str]] = {proposal: [] for proposal in PROPOSALS}
    for row in rows:
        metric = f" ({row.metric})" if metrics[row.benchmark, row.dataset] > 1 else ""
        names[str(row.proposal)].append(f"{row.dataset}{metric}")
    if len(rows) > 1:
        counts = ", ".join(f"{proposal} {len(group):,}" for proposal, group in names.items())
        each = " (each metric separately)" if len(metrics) < len(rows) else ""
        yield Sentence(f"Datasets{each}: {counts}.")
        named = [proposal for proposal in ("repair", "retire") if names[proposal]]
        yield from (Sentence(f"Datasets to {proposal}: {join_names(names[proposal], 10)}.") for proposal in named)
    items = audit.items_summary
    if items.total:
        yield Sentence(f"Items: keep {items.keep:,}, repair {items.repair:,}, retire {items.retire:,}.")
    lists = f"{len(audit.passed)} passed, {len(audit.not_checked)} not checked, {len(audit.ignored)} ignored"
    yield Sentence(f"Checks: {len({finding.code for finding in audit.findings})} with findings, {lists}.")


def show_overview(overview: Overview) -> Iterator[Block]:
    """Yield the first screen: one row per topic, and what to do first."""
    yield from make_table(
        OVERVIEW,
        overview.rows,
        {
            "status": lambda row: row.status,
            "topic": lambda row: row.title,
            "number": lambda row: row.text,
            "finding": lambda row: row.code if row.code and row.status in ("warning", "problem") else "",
        },
    )
    yield from make_table(
        ACTIONS, overview.actions, {"action": lambda row: row.action, "finding": lambda row: row.code}
    )


def show_comparison(result: AuditComparison) -> Iterator[Block]:
    """Yield the differences between two audits as one table; changed findings have their old and new values."""
    yield Sentence("The data is the same." if result.same_data else "The data is not the same.")
    groups = {"new": result.new, "gone": result.gone, "not checked": result.not_checked, "ignored": result.ignored}
    rows: list[list[Value]] = [
        [name, finding.severity, finding.code, "", finding.claim]
        for name, findings in groups.items()
        for finding in findings
    ]
    rows += [describe_change(change) for change in result.changed]
    if rows:
        yield Table("Differences", ["", "severity", "code", "value", "finding"], rows, is_main=True)
    for change in result.sections:
        before, now = change.old or "not run", change.new or "not run"
        yield Sentence(f"Section {change.section}: {before} before, {now} now.")
    counts = f"{len(result.new)} new, {len(result.gone)} gone, {len(result.changed)} changed"
    ignored = f"{len(result.ignored)} ignored, " if result.ignored else ""
    text = f"{counts}, {len(result.not_checked)} not checked this time, {ignored}{result.n_same} the same."
    yield Sentence(text, is_verdict=True)


def describe_change(change: ChangedFinding) -> list[Value]:
    """Return the row of a changed finding."""
    old, new = change.old, change.new
    severity = new.severity if old.severity == new.severity else f"{old.severity} → {new.severity}"
    claim = new.claim if old.claim == new.claim else f"{new.claim} Before: {old.claim}"
    return ["changed", severity, new.code, f"{format_value(old)} → {format_value(new)}", claim]


def show_suite(suite: SuiteAudit) -> Iterator[Block]:
    """Yield the tasks, the systems over all tasks, tasks that rank systems alike, and the verdict."""
    yield from show_tasks(suite)
    if suite.comparison is not None:
        yield from show_systems(suite.comparison)
        yield from show_pairs(suite.comparison)
    yield from (Sentence(f"Left out: {task}: {reason}") for task, reason in suite.left_out.items())
    yield Sentence(suite.verdict, is_verdict=True)


def show_tasks(suite: SuiteAudit) -> Iterator[Block]:
    """Yield one row per task."""
    yield from make_table(
        "Tasks",
        suite.tasks,
        {
            "task": lambda row: row.task,
            "kind": lambda row: row.kind,
            "items": lambda row: row.n_items,
            "systems": lambda row: row.n_systems,
            Column("mean score", "rounded:1"): lambda row: row.mean,
            "errors": lambda row: row.n_errors,
            "warnings": lambda row: row.n_warnings,
            "notes": lambda row: row.n_notes,
            "tells systems apart": lambda row: ANSWERS.get(row.discriminates or "", row.discriminates),
            Column("redundancy", "rounded:2"): lambda row: row.redundancy,
        },
        "Mean score: over the systems, in percent if the scale is known. Tells systems apart: test of equal systems "
        "over the items (p < 0.05). Redundancy: R² of a prediction of the task's scores from the other tasks, each "
        "system left out in turn; near 1 the task adds no ranking of its own, below 0 the others do not predict it.",
        is_main=True,
    )


def show_systems(comparison: TaskComparison) -> Iterator[Block]:
    """Yield one row per system: the mean over tasks, its rank, and the scores of the first tasks."""
    by = comparison.ranked_by or "score"
    is_ranked = any(row.rank for row in comparison.systems)
    method = (
        f"Ranked by {by} over all tasks, for systems that have all of them. The interval of the rank holds for all "
        f"systems at once, with tasks and items resampled.{f' {comparison.reason}.' if comparison.reason else ''}"
    )
    score = "win rate" if by.startswith("win rate") else "score"  # tasks of several scales have no mean
    ranks: list[Column | str] = [Column(score, "rounded:1"), "rank", "ranks"] if is_ranked else []
    tasks = [Column(row.task, "rounded:1") for row in comparison.tasks[:MAX_TASKS]]
    rows = [
        [row.system, row.n_tasks, *(_list_ranks(row) if is_ranked else []), *row.scores[:MAX_TASKS]]
        for row in comparison.systems[:MAX_SYSTEMS]
    ]
    if rows:
        yield Table("Systems over all tasks", ["system", "tasks", *ranks, *tasks], rows, method)


def _list_ranks(row: SuiteSystem) -> list[Value]:
    return [row.score, row.rank, None if row.rank_low is None else f"{row.rank_low}–{row.rank_high}"]


def show_pairs(comparison: TaskComparison) -> Iterator[Block]:
    """Yield the pairs of tasks, those that rank the systems most alike first."""
    yield from make_table(
        "Tasks that rank systems alike",
        [pair for pair in comparison.pairs[:MAX_PAIRS] if math.isfinite(pair.value)],
        {
            "task": lambda pair: pair.first,
            "other task": lambda pair: pair.second,
            "Spearman": lambda pair: pair,
            "systems": lambda pair: pair.n,
        },
        "Spearman's rank correlation of the scores over the systems that have both tasks, with the 95% interval of "
        "Bonett and Wright (2000); few systems give a wide one.",
    )
