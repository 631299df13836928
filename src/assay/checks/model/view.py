"""How the page shows the quick models of a kind of task."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number, write_rounded
from assay.checks.base import CHECKS
from assay.models.quick import QuickStress, QuickStudy
from assay.statistics import Interval
from assay.views.blocks import Block, Fact, Table, make_fact

SPLIT_NAMES = {"random": "random folds", "standard": "train → test"}


def model_facts(model: QuickStudy) -> Iterator[Fact]:
    """Yield the scores of the whole model by every metric, chance, and gains over models that see less."""
    for row in model.scores:
        if row.shortcut == "model" and row.split == "random":
            method = f"A linear model that sees {row.sees}, out of fold on {format_number(row.n)} items; 95% interval."
            yield from make_fact(f"Quick model, {row.metric}", Interval(row.value, row.low, row.high), method)
    yield from make_fact("Blind guess", model.chance, "Expected score.")
    for gain in model.gains:
        method = f"Difference of {gain.metric} on the same items under random folds; 95% interval over items or groups."
        change = Interval(gain.difference, gain.low, gain.high)
        yield from make_fact(f"Gain over {gain.other} (sees {gain.sees})", change, method)


def model_tables(model: QuickStudy) -> Iterator[Table]:
    """Yield the scores under random folds and the data's own parts, and what harder splits cost."""
    rows = [
        [
            SPLIT_NAMES[row.split],
            row.model,
            row.sees,
            row.metric,
            format_interval(*(round(value, 4) + 0.0 for value in (row.value, row.low, row.high))),
            format_number(row.n),
        ]
        for row in model.scores
        if row.split in SPLIT_NAMES and (row.metric == model.metric or row.shortcut == "model")
    ]
    method = "Models learn from the training side of each split; intervals (95%) resample items, or groups as a whole."
    if rows:
        columns = ["split", "model", "sees", "metric", "score", "items"]
        yield Table("Quick models", columns, rows, method)
    rows = [list_stress(row) for row in model.stress]
    if rows:
        columns = ["split", "draws", "items", "random folds", "this split", "drop", "error reduction"]
        method = (
            f"{model.metric} of the quick model on the same items under random folds and under the split. The interval "
            "of the drop (95%) is over draws and items. Error reduction is over the constant answer of training."
        )
        yield Table("What harder splits cost", columns, rows, method)


def list_stress(row: QuickStress) -> list[str]:
    """Return the cells of one split."""
    drop = row.bound_drop()
    ends = (row.random_error_reduction, row.error_reduction)
    reductions = f"{' → '.join(write_rounded(100 * end) for end in ends)}%"
    scores = [f"{value:.3f}" for value in (row.random_score, row.score)]
    counts = [format_number(row.n_draws), format_number(row.n_items)]
    return [row.split, *counts, *scores, format_interval(drop.value, drop.low, drop.high), reductions]


@CHECKS["model"].view
def show_model(model: QuickStudy) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from model_facts(model)
    yield from model_tables(model)
