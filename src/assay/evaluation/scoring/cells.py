"""Count items of the same gold and predicted label together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics import Labels, PositiveLabel, ScoredItems


@dataclass(frozen=True)
class LabelCells:
    """One item per combination of gold and predicted label, how many there are of each, and the cell of every item.

    Items that do not count are in cell −1.
    """

    items: ScoredItems
    counts: Array
    cells: Array


def count_cells(items: ScoredItems) -> LabelCells:
    """Return the cells of one system's items."""
    labels = items[Labels]
    width = labels.n_labels + 1  # one column for missing answers
    keys = labels.gold * width + labels.predicted + 1
    counts = np.bincount(keys[items.present])
    cells = np.flatnonzero(counts)
    places = np.full(labels.n_labels * width, -1)
    places[cells] = np.arange(len(cells))
    positive = [items[PositiveLabel]] if PositiveLabel in items else []
    distinct = Labels(cells // width, cells % width - 1, labels.n_labels)
    one_each = ScoredItems.of(distinct, *positive, present=np.ones(len(cells), dtype=bool))
    return LabelCells(one_each, counts[cells], np.where(items.present, places[keys], -1))
