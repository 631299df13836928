"""Test sets above a threshold: of lengths, dates or ranks. Rows of equal value stay on one side."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError


def choose_highest(values: Array, size: int, groups: Array | None, method: str) -> Array:
    """Return a boolean array that marks the rows above a threshold, such that their number is closest to `size`.

    Every chosen value is greater than every other, and no group is cut. Of two thresholds equally close to `size`, the
    one with the smaller set is taken.

    >>> choose_highest(np.array([1, 3, 3, 2]), 1, None, "length").tolist()
    [False, True, True, False]
    """
    levels, codes = np.unique(values, return_inverse=True)
    if len(levels) < 2:
        raise AssayError(f"The {method} split finds no threshold: all {len(values)} rows have the same value.")
    n_above = len(values) - np.cumsum(np.bincount(codes))[:-1]  # rows above a threshold after each level but the last
    n_cut = count_cut_groups(codes, groups, len(levels))
    if groups is not None and n_cut.min() > 0:
        raise AssayError(
            f"The {method} split finds no threshold that keeps all {int(groups.max()) + 1} groups whole: the one "
            f"closest to {size} rows cuts {n_cut[_find_closest(n_above, size)]}, the best one {n_cut.min()}."
        )
    whole = np.flatnonzero(n_cut == 0)
    return np.asarray(codes > whole[_find_closest(n_above[whole], size)])


def count_cut_groups(codes: Array, groups: Array | None, n_levels: int) -> Array:
    """Count, for the threshold after each level but the last, the groups that have rows on both sides."""
    if groups is None:
        return np.zeros(n_levels - 1, dtype=np.int64)
    lowest, highest = np.full(int(groups.max()) + 1, n_levels), np.full(int(groups.max()) + 1, -1)
    np.minimum.at(lowest, groups, codes)
    np.maximum.at(highest, groups, codes)
    steps = np.bincount(lowest, minlength=n_levels) - np.bincount(highest, minlength=n_levels)
    return np.asarray(np.cumsum(steps)[:-1])


def _find_closest(sizes: Array, size: int) -> int:
    distances = np.abs(sizes - size)
    return int(len(sizes) - 1 - np.argmin(distances[::-1]))  # later thresholds have smaller sets
