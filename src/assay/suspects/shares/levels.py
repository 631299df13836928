"""How much more often wrong labels than all labels have evidence of one strength."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

MIN_LEVEL_ITEMS = 5
MAX_LEVELS = 200
PSEUDO_ITEMS = 3.0  # as frequent among wrong labels as among all, added to every level


def divide_levels(doubt: Array) -> tuple[Array, Array]:
    """Return the level of every item, the most doubtful first, and the least doubt of every level.

    Equal doubt is never divided.

    >>> of_item, lowest = divide_levels(np.repeat([0.1, 0.9, 0.5], [20, 15, 3]))
    >>> lowest.tolist(), np.bincount(of_item).tolist()
    ([0.9, 0.1], [15, 23])
    """
    values, counts = np.unique(-doubt, return_counts=True)
    size = math.ceil(max(MIN_LEVEL_ITEMS, len(doubt) / MAX_LEVELS))
    totals = counts.cumsum()
    ends: list[int] = []
    while (end := int(np.searchsorted(totals, size + (totals[ends[-1]] if ends else 0)))) < len(values):
        ends.append(end)
    if not ends or ends[-1] < len(values) - 1:
        ends = [*ends[:-1], len(values) - 1]
    lowest = -values[ends]
    return np.searchsorted(-lowest, -doubt), lowest


def compare_levels(doubt: Array, of_wrong: Array) -> Array:
    """Return for every item how many times as often a wrong label has its doubt: it never falls as doubt rises.

    `doubt` is the doubt about the items, `of_wrong` about wrong labels.

    >>> compare_levels(np.repeat([1.0, 0.0], [10, 90]), np.repeat([1.0, 0.0], [80, 20]))[[0, -1]].round(2).tolist()
    [6.38, 0.25]
    """
    from sklearn.isotonic import isotonic_regression

    of_item, lowest = divide_levels(doubt)
    counts = np.bincount(of_item, minlength=len(lowest)).astype(float)
    of_level = np.minimum(np.searchsorted(-lowest, -of_wrong), len(lowest) - 1)
    expected = np.bincount(of_level, minlength=len(lowest)) * (len(doubt) / max(len(of_wrong), 1))
    ratios = isotonic_regression(
        (expected + PSEUDO_ITEMS) / (counts + PSEUDO_ITEMS), sample_weight=counts, increasing=False
    )
    return np.asarray(ratios[of_item])
