"""Correlations with p-value and interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.statistics.interval import normal_quantile
from assay.views.results import Result

MAX_EXACT_PAIRS = 8
Test = Callable[[Array, Array], tuple[float, float]]  # two arrays to the correlation and its p-value
Variance = Callable[[float, int], float]  # correlation and number of pairs to the variance on Fisher's scale


@dataclass(frozen=True)
class Correlation(Result):
    """A correlation, its interval, its two-sided p-value and the number of pairs; nan with a reason if undefined."""

    value: float
    low: float
    high: float
    p: float
    n: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


def spearman(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation:
    """Correlate the ranks; ties share their mean rank, pairs with nan are left out.

    The p-value is exact up to 8 pairs (all orders are counted), by the t approximation beyond. The interval uses
    Fisher's scale with the variance of Bonett and Wright (2000), from four pairs on. Constant input gives nan.

    >>> round(spearman([1, 2, 3, 4], [1, 2, 4, 3]).value, 3)
    0.8
    """
    return _correlate(x, y, _test_ranks, "spearman", _bonett_wright_variance, confidence)


def kendall(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation:
    """Correlate by concordant pairs (tau-b, which allows for ties); pairs with nan are left out.

    The p-value is exact for few pairs without ties, else by the normal approximation. The interval uses Fisher's scale
    with the variance 0.437 / (n − 4) of Fieller, Hartley and Pearson (1957), from five pairs on.

    >>> round(kendall([1, 2, 3, 4], [1, 2, 4, 3]).value, 3)
    0.667
    """
    from scipy.stats import kendalltau

    return _correlate(
        x,
        y,
        lambda a, b: tuple(kendalltau(a, b)),
        "kendall",
        lambda _, n: 0.437 / (n - 4) if n > 4 else math.nan,
        confidence,
    )


def pearson(x: ArrayLike, y: ArrayLike, confidence: float = 0.95) -> Correlation:
    """Correlate the numbers themselves; pairs with nan are left out.

    The p-value is by the t distribution, the interval on Fisher's scale with the variance 1 / (n − 3), from four
    pairs on. Constant input gives nan.

    >>> round(pearson([1, 2, 3, 4], [1, 2, 4, 3]).value, 3)
    0.8
    """
    from scipy.stats import pearsonr

    return _correlate(
        x, y, lambda a, b: tuple(pearsonr(a, b)), "pearson", lambda _, n: 1 / (n - 3) if n > 3 else math.nan, confidence
    )


def fisher_interval(value: float, variance: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the ends of an interval that is symmetric on Fisher's scale; ±1 has none.

    >>> [round(end, 3) for end in fisher_interval(0.5, 0.04)]
    [0.156, 0.736]
    """
    z = normal_quantile(confidence)
    if not math.isfinite(variance) or abs(value) >= 1:
        return math.nan, math.nan
    half = z * math.sqrt(variance)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def _correlate(
    x: ArrayLike, y: ArrayLike, test: Test, method: str, variance: Variance, confidence: float
) -> Correlation:
    first, second = _keep_finite_pairs(x, y)
    reason = _explain_undefined(first, second)
    if reason:
        return Correlation(math.nan, math.nan, math.nan, math.nan, len(first), method, reason)
    value, p = (float(number) for number in test(first, second))
    low, high = fisher_interval(value, variance(value, len(first)), confidence)
    return Correlation(value, low, high, p, len(first), method)


def _test_ranks(x: Array, y: Array) -> tuple[float, float]:
    from scipy.stats import rankdata, spearmanr

    value, p = spearmanr(x, y)
    if len(x) > MAX_EXACT_PAIRS:
        return value, p
    first, second = rankdata(x), rankdata(y)
    orders = np.array(list(permutations(second - second.mean())))
    products = np.abs(orders @ (first - first.mean()))
    observed = abs(float((second - second.mean()) @ (first - first.mean())))
    return value, float(np.mean(products >= observed - 1e-9))


def _bonett_wright_variance(r: float, n: int) -> float:
    return (1 + r * r / 2) / (n - 3) if n > 3 else math.nan


def _keep_finite_pairs(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError(f"The lists must be equally long; x has shape {first.shape}, y {second.shape}.")
    finite = np.isfinite(first) & np.isfinite(second)
    return first[finite], second[finite]


def _explain_undefined(first: Array, second: Array) -> str | None:
    if len(first) < 2:
        return f"{len(first)} pairs of numbers; a correlation needs at least 2"
    if np.ptp(first) == 0:
        return "x is constant"
    return "y is constant" if np.ptp(second) == 0 else None
