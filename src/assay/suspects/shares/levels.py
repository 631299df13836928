"""How much more often wrong labels than all labels have evidence of one strength."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

MIN_ITEMS, MIN_SHARE = 5, 0.005  # of the items: ranges of doubt with fewer count as if they had so many
MAX_LEVELS = 400
PSEUDO_ITEMS = 3.0  # as frequent among wrong labels as among all, added to every level of enough items


def divide_levels(doubt: Array) -> tuple[Array, Array]:
    """Return the level of every item, the most doubtful first, and the least doubt of every level.

    Equal doubt is never divided, and different doubt only joined if there are very many items.

    >>> of_item, lowest = divide_levels(np.repeat([0.1, 0.9, 0.5], [20, 15, 3]))
    >>> lowest.tolist(), np.bincount(of_item).tolist()
    ([0.9, 0.5, 0.1], [15, 3, 20])
    """
    values, counts = np.unique(-doubt, return_counts=True)
    size = math.ceil(len(doubt) / MAX_LEVELS)
    levels = (counts.cumsum() - counts) // size
    ends = np.flatnonzero(np.diff(levels, append=-1))
    return np.searchsorted(values[ends], -doubt), -values[ends]


def compare_levels(doubt: Array, of_wrong: Array) -> Array:
    """Return for every item how many times as often a wrong label has its doubt: it never falls as doubt rises.

    `doubt` is the doubt about the items, `of_wrong` about wrong labels.

    >>> compare_levels(np.repeat([1.0, 0.0], [10, 90]), np.repeat([1.0, 0.0], [80, 20]))[[0, -1]].round(2).tolist()
    [6.38, 0.25]
    """
    of_item, lowest = divide_levels(doubt)
    counts = np.bincount(of_item, minlength=len(lowest)).astype(float)
    of_level = np.minimum(np.searchsorted(-lowest, -of_wrong), len(lowest) - 1)
    expected = np.bincount(of_level, minlength=len(lowest)) * (len(doubt) / max(len(of_wrong), 1))
    return smooth_ratios(expected, counts, PSEUDO_ITEMS, PSEUDO_ITEMS)[of_item]


def smooth_ratios(expected: Array, counts: Array, pseudo_expected: float, pseudo_items: float) -> Array:
    """Return the ratio of expected items to items in every level, the most doubtful one first; it never rises.

    Every range of levels has a ratio, with pseudo-items for each of its levels that could have enough items. A level has
    the highest of the lowest ratios: the lowest over all first levels of a range, the highest over all last ones. Without
    pseudo-items this is isotonic regression. An item that moves to a more doubtful level gets no lower ratio by that: the
    ranges that hold both levels do not change.

    >>> smooth_ratios(np.array([40.0, 30.0, 30.0]), np.array([20.0, 5.0, 55.0]), 0.0, 0.0).round(2).tolist()
    [2.8, 2.8, 0.55]
    """
    total, items = np.append(0.0, expected.cumsum()), np.append(0.0, counts.cumsum())
    first, last = np.arange(len(counts))[:, None], np.arange(1, len(counts) + 1)
    least = max(MIN_ITEMS, MIN_SHARE * items[-1])
    n_items = np.maximum(items[last] - items[first], least)
    n_pseudo = np.clip(n_items / least, 1, np.maximum(last - first, 1))
    ratios = (total[last] - total[first] + n_pseudo * pseudo_expected) / (n_items + n_pseudo * pseudo_items)
    lowest = np.minimum.accumulate(np.where(last > first, ratios, np.inf), axis=0)
    return np.asarray(np.where(last > first, lowest, -np.inf).max(axis=1))
