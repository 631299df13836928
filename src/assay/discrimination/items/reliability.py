"""Reliability of a test: Cronbach's alpha, standard error of measurement, smallest real gap, items needed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.discrimination.items.outcome_tables import fill_missing, to_outcome_table
from assay.statistics import Interval, cronbach_alpha
from assay.views.results import Result

ROUNDING = 1e-12  # relative; smaller differences and variances are what rounding leaves of 0


@dataclass(frozen=True)
class Reliability(Result):
    """Alpha (KR-20 for 0/1 outcomes) with Feldt's interval, the error of one system's score and the gap that exceeds it.

    Error and gap are in units of the scores.
    """

    alpha: Interval
    standard_error: float
    smallest_real_gap: float
    score_deviation: float
    n_items: int
    n_systems: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


def measure_reliability(outcomes: ArrayLike, confidence: float = 0.95) -> Reliability:
    """Return alpha over items with the systems as test takers (outcomes: systems × items).

    The standard error of measurement is s·√(1 − alpha), s the deviation (ddof = 1) of the systems' mean scores; a real
    difference of two scores exceeds z·√2 times it. Missing outcomes take the mean of their item.

    >>> reliability = measure_reliability([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    >>> round(reliability.alpha.value, 3), reliability.method
    (0.867, 'kr-20')
    """
    from scipy.special import ndtri

    table = fill_missing(to_outcome_table(outcomes))
    k, n = table.shape
    method = "kr-20" if np.isin(table, (0.0, 1.0)).all() else "alpha"
    totals = table.sum(axis=1)
    if k < 2 or n < 2 or np.ptp(totals) == 0:
        reason = f"{k} systems on {n} items" if k < 2 or n < 2 else "all systems have the same score"
        undefined = Interval(math.nan, math.nan, math.nan, confidence)
        return Reliability(undefined, math.nan, math.nan, math.nan, n, k, method, f"{reason}; alpha is undefined")
    alpha = cronbach_alpha(table, confidence)
    deviation = float((totals / n).std(ddof=1))
    error = deviation * math.sqrt(max(0.0, 1 - alpha.value))
    gap = float(ndtri((1 + confidence) / 2)) * math.sqrt(2) * error
    return Reliability(alpha, error, gap, deviation, n, k, method)


def count_items_needed(a: Any, b: Any, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return how many such items are needed to separate two systems by their outcomes (two-sided paired test).

    From the mean and the deviation of the paired differences (for 0/1 outcomes Connor's 1987 size of McNemar's test);
    infinite if the means are equal, nan below two items and if the difference is the same on every item.

    >>> count_items_needed([1] * 60 + [0] * 40, [1] * 50 + [0] * 50)
    77
    """
    from scipy.special import ndtri

    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError(f"The lists must be equally long; a has shape {first.shape}, b {second.shape}.")
    differences = (first - second)[np.isfinite(first - second)]
    if len(differences) < 2:
        return math.nan
    gap, square = float(differences.mean()), float((differences**2).mean())
    if abs(gap) <= ROUNDING * math.sqrt(square):
        return math.inf
    if square - gap * gap <= ROUNDING * square:
        return math.nan
    z_alpha, z_power = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    return math.ceil((z_alpha * math.sqrt(square) + z_power * math.sqrt(max(square - gap * gap, 0.0))) ** 2 / gap**2)
