"""How outcomes on items or datasets become one score per system: mean, Borda points, win rate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry

AGGREGATIONS: Registry[Callable[[Array], Array]] = Registry("aggregation")


@AGGREGATIONS.add("mean")
def use_values(table: Array) -> Array:
    """Use every outcome as it is, so that the score is their mean."""
    return table


@AGGREGATIONS.add("borda")
def count_borda_points(table: Array) -> Array:
    """Give each system, on every column, as many points as systems it beats; ties share, and missing cells stay.

    >>> count_borda_points(np.array([[3.0], [1.0], [1.0]])).ravel().tolist()
    [2.0, 0.5, 0.5]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(table, axis=0, nan_policy="omit") - 1)


@AGGREGATIONS.add("win-rate")
def compute_win_rates(table: Array) -> Array:
    """Give each system, on every column, the share of the other systems it beats; a tie is half a win.

    >>> compute_win_rates(np.array([[3.0], [1.0], [1.0]])).ravel().tolist()
    [1.0, 0.25, 0.25]
    """
    return count_borda_points(table) / np.maximum(1, np.isfinite(table).sum(axis=0) - 1)
