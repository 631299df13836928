"""How the page shows what only this kind of task has."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number
from assay.base.wording import format_percent
from assay.checks.base import CHECKS
from assay.checks.task.results import TaskEvidence
from assay.views.blocks import Block, Fact, Table, make_fact


def task_facts(task: TaskEvidence) -> Iterator[Fact]:
    """Yield the figures, the defects, and texts copied across parts."""
    for figure in task.figures:
        if figure.is_share and math.isfinite(figure.value):
            yield Fact(_start_sentence(figure.name), format_percent(figure.value), "Counted. Exact.")
        else:
            value = round(figure.value, 1) if abs(figure.value) >= 1 else figure.value
            yield from make_fact(_start_sentence(figure.name), value, "Counted. Exact.")
    for defect in task.defects:
        yield from make_fact(
            defect.name.capitalize(), defect.items, f"{task.item_noun.capitalize()}s that {defect.description}."
        )
    for overlap in task.overlaps:
        name = f"Copies of a {overlap.text} of {overlap.reference} in {overlap.part}"
        yield from make_fact(name, overlap.items, "Verbatim, eight words or more, where the whole item is not a copy.")


def task_tables(task: TaskEvidence) -> Iterator[Table]:
    """Yield the trivial baselines, and how often each value occurs."""
    rows = [
        [
            row.name,
            row.shortcut,
            format_interval(row.score.value, row.score.low, row.score.high),
            format_number(row.n),
            row.based_on,
        ]
        for row in task.baselines
    ]
    chance = "" if math.isnan(task.chance) else f" A blind guess scores {format_number(task.chance)}."
    method = f"{task.metric} on the tested part, 95% interval; models are trained on train, or out of fold.{chance}"
    if rows:
        yield Table("Trivial baselines", ["baseline", "uses", task.metric, "items", "learned from"], rows, method)
    for name in dict.fromkeys(row.table for row in task.counts):
        counts = [row for row in task.counts if row.table == name]
        if len(counts) > 1 and all(math.isnan(row.expected) for row in counts):  # others are in a chart
            cells = [[row.value, format_number(row.count)] for row in counts]
            yield Table(name.capitalize(), ["value", "count"], cells, "Counted over all items. Exact.")


def _start_sentence(name: str) -> str:
    return name[:1].upper() + name[1:]


@CHECKS["task"].view
def show_task(task: TaskEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from task_facts(task)
    yield from task_tables(task)
