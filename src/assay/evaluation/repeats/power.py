"""How many items and repeats a comparison of two systems needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.evaluation.comparison.pairs import find_detectable_difference
from assay.evaluation.predictions.types import Predictions
from assay.evaluation.repeats.variance import split_repeats, split_variance
from assay.views.results import Result

DIFFERENCES = (0.01, 0.02, 0.05)
REPEATS = (1, 2, 4, 8)
MAX_PAIRS = 300


@dataclass(frozen=True)
class ItemPlan(Result):
    """The items needed to detect a difference of two systems with 80% power (two-sided, 5%)."""

    difference: float
    n_repeats: int
    n_items: int


@dataclass(frozen=True)
class Power(Result):
    """The smallest detectable difference of two systems on these items and repeats, and what others would need.

    `sd_items` and `sd_repeats` belong to the difference on an item, medians over the pairs; for one system as if
    another made errors of its own. Without any deviation the rest is undefined, with a `reason`.
    """

    detectable: float
    n_items: int
    n_repeats: int
    sd_items: float
    sd_repeats: float
    plans: tuple[ItemPlan, ...]
    reason: str | None = field(default=None, metadata=OWN)


def plan_items(sd_items: float, sd_repeats: float, difference: float, n_repeats: int = 1) -> int:
    """Return the number of items for a difference of two systems (Miller 2024).

    n = (z_α/2 + z_β)² (ω² + σ² / K) / δ², with ω and σ the deviations of the difference between items and repeats.

    >>> plan_items(0.4, 0.0, 0.05)
    503
    """
    variance = sd_items**2 + sd_repeats**2 / n_repeats
    return math.ceil(variance * (find_detectable_difference(1.0) / difference) ** 2)


def measure_power(predictions: Predictions, *, differences: Sequence[float] = DIFFERENCES) -> Power | None:
    """Measure the power of the items, or of a pilot, from stacked predictions; None with fewer than two items."""
    tables = split_repeats(predictions)
    n_repeats, n_items = tables.shape[1:]
    components = [_compare(tables[first], tables[second]) for first, second in _choose_pairs(len(tables))]
    if not components:
        between, within = _get_components(tables[0])
        components = [(math.sqrt(2) * between, math.sqrt(2) * within)]
    known = [pair for pair in components if math.isfinite(pair[0])]
    if not known or n_items < 2:
        return None
    sd_items = float(np.median([pair[0] for pair in known]))
    sd_repeats = float(np.median([pair[1] for pair in known]))
    if not sd_items**2 + sd_repeats**2 > 0:
        reason = "the outcomes of two systems differ by the same amount on every item"
        return Power(math.nan, n_items, n_repeats, sd_items, sd_repeats, (), reason)
    error = math.sqrt((sd_items**2 + sd_repeats**2 / n_repeats) / n_items)
    counts = sorted({*REPEATS, n_repeats}) if n_repeats > 1 else [1]
    plans = [
        ItemPlan(difference, count, plan_items(sd_items, sd_repeats, difference, count))
        for difference in differences
        for count in counts
    ]
    return Power(find_detectable_difference(error), n_items, n_repeats, sd_items, sd_repeats, tuple(plans))


def _choose_pairs(n_systems: int) -> list[tuple[int, int]]:
    """Return all pairs of systems; of many systems, those that are next to each other."""
    if n_systems * (n_systems - 1) // 2 <= MAX_PAIRS:
        return list(combinations(range(n_systems), 2))
    return [(number, number + 1) for number in range(n_systems - 1)]


def _compare(first: Array, second: Array) -> tuple[float, float]:
    """Return the deviations of the difference of two systems between items and between repeats."""
    return _get_components(first - second)


def _get_components(table: Array) -> tuple[float, float]:
    row = split_variance("", table)
    return row.sd_items, row.sd_repeats if math.isfinite(row.sd_repeats) else 0.0
