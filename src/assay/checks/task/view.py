"""How the page shows what only this kind of task has."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from assay.checks.base import CHECKS
from assay.checks.task.results import TaskEvidence
from assay.kinds.view import show_distributions, show_figures
from assay.views.blocks import Block, make_fact, make_table
from assay.wording.numbers import format_number


@CHECKS["task"].view
def show_task(task: TaskEvidence) -> Iterator[Block]:
    """Yield figures, defects, texts copied across parts, trivial baselines, and how often each value occurs."""
    yield from show_figures(task.facts, task.item_noun)
    for overlap in task.overlaps:
        name = f"Copies of a {overlap.text} of {overlap.reference} in {overlap.part}"
        yield from make_fact(name, overlap.items, "Verbatim, eight words or more, if the whole item is not a copy.")
    chance = "" if math.isnan(task.chance) else f" A blind guess scores {format_number(task.chance)}."
    yield from make_table(
        "Trivial baselines",
        task.baselines,
        {
            "baseline": lambda row: row.baseline,
            "uses": lambda row: row.shortcut,
            task.metric: lambda row: row,
            "items": lambda row: row.n or 0,
            "learned from": lambda row: row.based_on,
        },
        f"{task.metric} on the tested part, 95% interval; models are trained on train, or out of fold.{chance} "
        "The folds are not those of “Quick models”, so a model in both tables has slightly different scores.",
    )
    uncharted = tuple(table for table in task.facts.distributions if not table.expected)  # others are in a chart
    yield from show_distributions(replace(task.facts, distributions=uncharted))
