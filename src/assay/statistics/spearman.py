"""Spearman's rank correlation with p and interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.statistics.interval import tails

_EXACT = 8


@dataclass(frozen=True)
class Correlation(Result):
    """A correlation, its interval, its two-sided p and the number of pairs; nan with a reason where undefined."""

    value: float
    low: float
    high: float
    p: float
    n: int
    method: str
    reason: str | None = None


def spearman(x: Any, y: Any, confidence: float = 0.95) -> Correlation:
    """Correlate the ranks; ties share their mean rank, pairs with nan are left out.

    p is exact up to 8 pairs (all orders are counted) and by the t approximation beyond; the interval on
    Fisher's scale with the variance of Bonett and Wright (2000), from four pairs on. Constant input gives nan.

    >>> round(spearman([1, 2, 3, 4], [1, 2, 4, 3]).value, 3)
    0.8
    """
    return correlated(x, y, _ranked, "spearman", _bonett_wright, confidence)


def _ranked(x: Array, y: Array) -> Any:
    from scipy.stats import rankdata, spearmanr

    found = spearmanr(x, y)
    if len(x) > _EXACT:
        return found
    first, second = rankdata(x), rankdata(y)
    orders = np.array(list(permutations(second - second.mean())))
    products = np.abs(orders @ (first - first.mean()))
    observed = abs(float((second - second.mean()) @ (first - first.mean())))
    return SimpleNamespace(statistic=found.statistic, pvalue=float(np.mean(products >= observed - 1e-9)))


def _bonett_wright(r: float, n: int) -> float:
    return (1 + r * r / 2) / (n - 3) if n > 3 else math.nan


def correlated(
    x: Any,
    y: Any,
    test: Callable[[Array, Array], Any],
    method: str,
    variance: Callable[[float, int], float],
    confidence: float,
) -> Correlation:
    """Correlate with one of scipy's tests and put an interval on Fisher's scale around the value."""
    first, second = _finite_pairs(x, y)
    reason = _undefined(first, second)
    if reason:
        return Correlation(math.nan, math.nan, math.nan, math.nan, len(first), method, reason)
    found = test(first, second)
    value, p = float(found.statistic), float(found.pvalue)
    low, high = fisher_interval(value, variance(value, len(first)), confidence)
    return Correlation(value, low, high, p, len(first), method)


def fisher_interval(value: float, variance: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the ends of an interval that is symmetric on Fisher's scale; ±1 has none.

    >>> [round(end, 3) for end in fisher_interval(0.5, 0.04)]
    [0.156, 0.736]
    """
    from scipy.special import ndtri

    tails(confidence)
    if not math.isfinite(variance) or abs(value) >= 1:
        return math.nan, math.nan
    half = float(ndtri(tails(confidence)[1])) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def _finite_pairs(x: Any, y: Any) -> tuple[Array, Array]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError(f"x has shape {first.shape}, y {second.shape}; both must be equally long lists.")
    kept = np.isfinite(first) & np.isfinite(second)
    return first[kept], second[kept]


def _undefined(first: Array, second: Array) -> str | None:
    if len(first) < 2:
        return f"{len(first)} pairs of numbers; a correlation needs at least 2"
    if np.ptp(first) == 0:
        return "x is constant"
    return "y is constant" if np.ptp(second) == 0 else None
