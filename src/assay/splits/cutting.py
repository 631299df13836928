"""Cuts along a line: lengths, dates, ranks. Rows of equal value stay on one side."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.errors import AssayError


def cut_between_values(values: np.ndarray, size: int, groups: Any, who: str) -> np.ndarray:
    """Return a boolean array, true for the rows above the cut whose number is nearest to `size`.

    Every chosen value is greater than every other, and no group is cut. Of two cuts equally near, the smaller set.

    >>> cut_between_values(np.array([1, 3, 3, 2]), 1, None, "length").tolist()
    [False, True, True, False]
    """
    levels, codes = np.unique(values, return_inverse=True)
    if len(levels) < 2:
        raise AssayError(f"The {who} split finds no cut: all {len(values)} rows are equal in what it cuts by.")
    above = len(values) - np.cumsum(np.bincount(codes))[:-1]  # rows above a cut after each level but the last
    n_cut = groups_cut(codes, groups, len(levels))
    if n_cut.min() > 0:
        nearest = n_cut[_nearest(above, size)]
        raise AssayError(
            f"The {who} split finds no cut that keeps all {int(groups.max()) + 1} groups whole: the one nearest to "
            f"{size} rows cuts {nearest}, the best one {n_cut.min()}."
        )
    whole = np.flatnonzero(n_cut == 0)
    return np.asarray(codes > whole[_nearest(above[whole], size)])


def groups_cut(codes: np.ndarray, groups: Any, n_levels: int) -> np.ndarray:
    """Count, for the cut after each level but the last, the groups that have rows on both sides."""
    if groups is None:
        return np.zeros(n_levels - 1, dtype=np.int64)
    lowest, highest = np.full(int(groups.max()) + 1, n_levels), np.full(int(groups.max()) + 1, -1)
    np.minimum.at(lowest, groups, codes)
    np.maximum.at(highest, groups, codes)
    steps = np.bincount(lowest, minlength=n_levels) - np.bincount(highest, minlength=n_levels)
    return np.asarray(np.cumsum(steps)[:-1])


def _nearest(sizes: np.ndarray, size: int) -> int:
    distances = np.abs(sizes - size)
    return int(len(sizes) - 1 - np.argmin(distances[::-1]))  # later cuts have smaller sets
