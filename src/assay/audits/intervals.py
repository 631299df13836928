"""Intervals that several findings need: differences of shares, and agreement beyond chance."""

from __future__ import annotations

import math

from assay.base.arrays import Array
from assay.statistics import Interval, newcombe_difference, paired_difference_bound
from assay.statistics.agreement import _legacy_audit_kappa


def exact(value: float) -> Interval:
    """Return a number that was counted, not estimated."""
    return Interval(value, math.nan, math.nan, method="counted")


def difference(first: tuple[float, int], second: tuple[float, int], confidence: float = 0.95) -> Interval:
    """Return the difference of two shares of independent items (Newcombe's hybrid of Wilson's intervals).

    >>> found = difference((0.8, 100), (0.6, 100))
    >>> round(found.value, 2), round(found.low, 3), round(found.high, 3)
    (0.2, 0.073, 0.319)
    """
    (p, n), (q, m) = first, second
    return newcombe_difference(p * n, n, q * m, m, confidence)


def paired_difference(p: float, q: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the difference of two shares of the same n items whose overlap is not known: the widest it can be."""
    return paired_difference_bound(p * n, q * n, n, confidence)


def kappa(predicted: Array, gold: Array, confidence: float = 0.95) -> Interval:
    """Return Cohen's kappa: agreement beyond what the two margins give by chance; its large-sample interval."""
    return _legacy_audit_kappa(predicted, gold, confidence)
