"""Tables of several tasks: one row per task, per system, and per pair of tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.audits import SuiteAudit
from assay.base.numbers import format_interval, format_number, write_rounded
from assay.discrimination.lambdas.verdicts import DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.views.blocks import Table
from assay.views.characters import make_visible

MAX_SYSTEMS, MAX_TASKS, MAX_PAIRS = 100, 12, 40
MAX_CELL = 60
VERDICTS = {DISCRIMINATES: "yes", DOES_NOT_DISCRIMINATE: "no"}


def list_tables(suite: SuiteAudit) -> list[Table]:
    """Return the tables that have rows."""
    return [table for table in (list_tasks(suite), list_systems(suite), list_pairs(suite)) if table.rows]


def list_tasks(suite: SuiteAudit) -> Table:
    """Return one row per task."""
    columns = ["task", "kind", "items", "systems", "mean score", "tells systems apart", "redundancy"]
    rows = [
        [
            *(row.task, row.kind, format_number(row.n_items), format_number(row.n_systems), write_score(row.mean)),
            VERDICTS.get(row.discriminates or "", row.discriminates or "not measured"),
            write_score(row.redundancy, 2) or "not measured",
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
    systems = comparison.systems[:MAX_SYSTEMS]
    is_ranked = any(row.rank for row in systems)
    rows = [
        [
            row.system,
            format_number(row.n_tasks),
            *([write_score(row.score), format_number(row.rank) if row.rank else ""] if is_ranked else []),
            *(["" if row.rank_low is None else f"{row.rank_low}\u2013{row.rank_high}"] if is_ranked else []),
            *(write_score(score) for score in row.scores[:MAX_TASKS]),
        ]
        for row in systems
    ]
    by = comparison.ranked_by or "score"
    method = (
        f"Ranked by {by} over all tasks, for systems that have all of them. The interval of the rank holds for all "
        "systems at once, with tasks and items resampled."
    )
    method += f" {comparison.reason}." if comparison.reason else ""
    columns = ["system", "tasks", *(["score", "rank", "rank interval"] if is_ranked else []), *shown]
    return make_table("Systems over all tasks", columns, rows, method)


def list_pairs(suite: SuiteAudit) -> Table:
    """Return the pairs of tasks, those that rank the systems most alike first."""
    pairs = () if suite.comparison is None else suite.comparison.pairs
    rows = [
        [pair.first, pair.second, format_interval(pair.value, pair.low, pair.high), format_number(pair.n)]
        for pair in pairs[:MAX_PAIRS]
        if math.isfinite(pair.value)
    ]
    method = (
        "Spearman's rank correlation of the scores over the systems that have both tasks, with the 95% interval of "
        "Bonett and Wright (2000); few systems give a wide one."
    )
    return make_table("Tasks that rank systems alike", ["task", "task", "rank correlation", "systems"], rows, method)


def make_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], method: str) -> Table:
    """Return a table that is safe to show."""
    cells = [[make_visible(cell, MAX_CELL) for cell in row] for row in rows]
    return Table(title, [make_visible(name, MAX_CELL) for name in columns], cells, method)


def write_score(value: float, digits: int = 1) -> str:
    """Write a score with one decimal; empty if there is none."""
    return write_rounded(value, digits) if math.isfinite(value) else ""
