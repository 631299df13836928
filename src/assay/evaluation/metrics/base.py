"""What a metric is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array


@dataclass(frozen=True)
class Items:
    """One system's items as arrays: labels are numbers, of which the first `n_gold` occur in gold.

    `present` marks the items that count; a predicted −1 is an answer that was not given and counts as wrong.
    """

    present: Array
    gold: Array | None = None
    predicted: Array | None = None
    n_labels: int = 0
    positive: int | None = None
    probabilities: Array | None = None
    gold_values: Array | None = None
    predicted_values: Array | None = None
    scores: Array | None = None
    groups: Array | None = None
    outcomes: Array | None = None


@dataclass(frozen=True)
class Metric:
    """A value that follows from sums over items, so that every resample is one product of matrices.

    `statistics` gives each item's numbers (rows of zeros where it does not count), `value` turns sums
    (the last axis) into the metric, nan where undefined. `proportion` gives successes and trials where
    the metric, or what `transform` makes the metric of, is a share. `bounds` is its range, if it has one.
    """

    name: str
    needs: tuple[str, ...]
    statistics: Callable[[Items], Array]
    value: Callable[[Array], Array]
    bounds: tuple[float, float] | None = (0.0, 1.0)
    proportion: Callable[[Array], tuple[float, float]] | None = None
    transform: Callable[[float], float] = float
    over_groups: bool = False
    lower_is_better: bool = False
    undefined: str = "no item counts"
    description: str = ""

    def score(self, items: Items) -> float:
        """Return the metric of one system."""
        return float(self.value(self.statistics(items).sum(axis=0, dtype=np.float64)))


def ratio(above: Array, below: Array) -> Array:
    """Divide, nan where there is nothing to divide by.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    shape = np.broadcast(above, below).shape
    quotient: Array = np.divide(above, below, out=np.full(shape, np.nan), where=np.asarray(below) != 0)
    return quotient


def counted(items: Items, *columns: Any) -> Array:
    """Lay columns side by side, with zeros for items that do not count."""
    table = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)
    table[~items.present] = 0.0
    return table
