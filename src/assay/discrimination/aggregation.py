"""How outcomes on items or datasets become one score a system: mean, Borda points, share of wins."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry


def mean(table: Array) -> Array:
    """Let every outcome count as it is."""
    return table


def borda(table: Array) -> Array:
    """Give each system, on every column, as many points as systems it leaves behind; ties share.

    >>> borda(np.array([[3.0], [1.0], [1.0]])).ravel().tolist()
    [2.0, 0.5, 0.5]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(table, axis=0) - 1)


def win_rate(table: Array) -> Array:
    """Give each system, on every column, the share of the other systems it beats; a tie is half a win.

    >>> win_rate(np.array([[3.0], [1.0], [1.0]])).ravel().tolist()
    [1.0, 0.25, 0.25]
    """
    return borda(table) / max(1, len(table) - 1)


AGGREGATIONS: Registry[Callable[[Array], Array]] = Registry(
    "aggregation", {"mean": mean, "borda": borda, "win-rate": win_rate}
)
