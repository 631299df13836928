"""Confidence sequences by betting: intervals that hold at every number of observations at once.

A bet on a mean m multiplies the capital by 1 + λ(x − m) for each observation x. If m is the mean, the capital is a
martingale, and exceeds 1/α ever with probability at most α (Ville 1939). The means at which no bet has won so much form
the confidence sequence (Waudby-Smith and Ramdas 2024). The capital here is divided over a fixed grid of bets, so
that it does not depend on the order of the observations: they may come in batches of any size and order.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.statistics.interval import tails
from assay.views.values import Interval

# Bets as shares of the largest bet that cannot lose more than the capital, and the share of the capital on each. Small
# bets find small differences in very many observations; they have little capital, as few test sets are so large.
BETS = np.geomspace(0.005, 0.9, 13)
CAPITAL = np.where(BETS < 0.035, 0.02, 0.9 / 8)
_STEPS = 50


def confidence_sequence(
    values: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    confidence: float = 0.95,
    counts: ArrayLike | None = None,
    sizes: ArrayLike = 1.0,
) -> Interval:
    """Return the mean of bounded observations with an interval that is valid at any number of observations.

    The observations are independent draws, or a martingale around the mean: each has the mean given those before it.
    `lower` and `upper` are bounds of all values, or of each, if they were known before the value was observed. `counts`
    says how often each value was observed. `sizes` are for sums over groups: the mean is the mean of sums / sizes, each sum
    lies between size × lower and size × upper, and sizes are at most 1.

    >>> interval = confidence_sequence([1, 0, -1], -1, 1, counts=[120, 600, 40])
    >>> round(interval.value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.105, 0.054, 0.159)
    """
    table = _merge_equal(values, lower, upper, sizes, counts)
    x, low, high, size, n = table
    if (x < low * size - 1e-9).any() or (x > high * size + 1e-9).any():
        ends = f"{np.min(lower):g} and {np.max(upper):g}"
        raise UsageError(f"Values must be between {ends}; they reach {x.min():g} and {x.max():g}.")
    if not n.sum():
        return Interval(math.nan, float(np.max(lower)), float(np.min(upper)), confidence, "betting")
    mean = min(max(float(n @ x / (n @ size)), float(low.max())), float(high.min()))
    threshold = -math.log(tails(confidence)[0])
    below = _find_limit(x, n, size, low, mean, threshold)
    above = -_find_limit(-x, n, size, -high, -mean, threshold)
    return Interval(mean, below, above, confidence, "betting")


def log_capital(
    values: ArrayLike, mean: float, lower: ArrayLike, counts: ArrayLike | None = None, sizes: ArrayLike = 1.0
) -> Array:
    """Return the logarithm of the capital of bets that the mean of the values is greater than `mean`.

    The values are at least `lower`, which is less than `mean`. Counts of one row give a number; counts with one row per
    look give one number per look.
    """
    x = np.asarray(values, dtype=float)
    n = np.ones(x.shape) if counts is None else np.asarray(counts, dtype=float)
    shares = (x - mean * np.asarray(sizes)) / (mean - np.asarray(lower))
    logs = n @ np.log1p(np.maximum(np.outer(BETS, shares), -1 + 1e-15)).T
    top = logs.max(axis=-1, keepdims=True)
    return np.asarray(top[..., 0] + np.log(np.exp(logs - top) @ CAPITAL))


def _merge_equal(
    values: ArrayLike, lower: ArrayLike, upper: ArrayLike, sizes: ArrayLike, counts: ArrayLike | None
) -> Array:
    """Return rows of values, bounds, sizes and counts, with equal observations merged so that order does not matter."""
    x = np.asarray(values, dtype=float)
    rows = np.array([np.broadcast_to(row, x.shape) for row in (x, lower, upper, sizes)], dtype=float)
    if counts is not None:
        return np.vstack([rows, np.asarray(counts, dtype=float)])
    distinct, numbers = np.unique(rows, axis=1, return_counts=True)
    return np.vstack([distinct, numbers])


def _find_limit(x: Array, n: Array, sizes: Array, lower: Array, mean: float, threshold: float) -> float:
    """Return the smallest mean against which no bet that the mean is greater has won enough."""
    least = float(lower.max())
    outside, inside = least, mean
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        if middle <= least:
            break
        if float(log_capital(x, middle, lower, n, sizes)) >= threshold:
            outside = middle
        else:
            inside = middle
    return outside
