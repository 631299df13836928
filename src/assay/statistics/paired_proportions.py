"""The interval of the difference of two proportions on the same items."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.statistics.interval import normal_quantile
from assay.views.values import Interval

_STEPS = 60  # of the bisection, after which the limits are exact to rounding


def tango(wins: int, losses: int, n: int, confidence: float = 0.95) -> Interval:
    """Return the score interval of the difference of two paired proportions (Tango 1998).

    `wins` counts the items that only the second system has right, `losses` those that only the first has right. The
    interval does not collapse if all items agree: it then reaches to z² / (n + z²).

    >>> interval = tango(12, 2, 50)
    >>> round(interval.value, 2), round(interval.low, 3), round(interval.high, 3)
    (0.2, 0.061, 0.345)
    """
    if n < 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "tango")
    low, high = tango_limits(wins, losses, n, confidence)
    return Interval((wins - losses) / n, float(low), float(high), confidence, "tango")


def tango_limits(wins: ArrayLike, losses: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Array, Array]:
    """Return the lower and the upper limits of many differences at once."""
    b, c, sizes = np.broadcast_arrays(*(np.asarray(counts, dtype=float) for counts in (wins, losses, n)))
    z = normal_quantile(confidence)
    return _find_lower_limits(b, c, sizes, z), -_find_lower_limits(c, b, sizes, z)


def _find_lower_limits(b: Array, c: Array, n: Array, z: float) -> Array:
    """Find by bisection the difference at which the score statistic is z; it falls as the difference grows."""
    outside, inside = np.full(b.shape, -1.0), (b - c) / n
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        is_outside = _compute_score(b, c, n, middle) > z
        outside, inside = np.where(is_outside, middle, outside), np.where(is_outside, inside, middle)
    return inside


def _compute_score(b: Array, c: Array, n: Array, difference: Array) -> Array:
    """Return the score statistic of a difference; the share of losses is its restricted maximum likelihood estimate."""
    linear = -b - c + (2 * n - b + c) * difference
    constant = -c * difference * (1 - difference)
    share = (np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    variance = n * np.maximum(2 * share + difference * (1 - difference), 0.0)
    distance = b - c - n * difference
    score = np.divide(distance, np.sqrt(variance), out=np.full(b.shape, np.inf), where=variance > 1e-300)
    return np.where((variance <= 1e-300) & (distance <= 0), 0.0, score)
