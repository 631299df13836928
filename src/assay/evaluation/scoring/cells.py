"""Count items of the same gold and predicted label together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.metrics import AnsweredItems


@dataclass(frozen=True)
class LabelCells:
    """One item per combination of gold and predicted label, how many there are of each, and the cell of every item.

    Items that do not count are in cell −1.
    """

    items: AnsweredItems
    counts: Array
    cells: Array


def count_cells(items: AnsweredItems) -> LabelCells:
    """Return the cells of one system's items."""
    width = items.n_labels + 1  # one column for missing answers
    keys = items.gold * width + items.predicted + 1
    counts = np.bincount(keys[items.present])
    cells = np.flatnonzero(counts)
    places = np.full(items.n_labels * width, -1)
    places[cells] = np.arange(len(cells))
    everything, gold, predicted = np.ones(len(cells), dtype=bool), cells // width, cells % width - 1
    one_each = AnsweredItems(everything, gold, predicted, items.n_labels, items.positive)
    return LabelCells(one_each, counts[cells], np.where(items.present, places[keys], -1))
