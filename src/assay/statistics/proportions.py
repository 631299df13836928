"""Intervals of proportions and of differences between proportions."""

from __future__ import annotations

import math
from dataclasses import replace

from assay.base.errors import UsageError
from assay.statistics.interval import normal_quantile
from assay.views.values import Interval


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the score interval of a proportion (Wilson 1927).

    It never leaves 0–1 and does not collapse at 0 or 1.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    _check_counts(successes, n)
    z = normal_quantile(confidence)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, confidence, "wilson")
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if successes == 0 else max(0.0, middle - half)  # exact at the ends, where rounding is not
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Interval(share, low, high, confidence, "wilson")


def modified_wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval with the Poisson limit as its outer end (Brown, Cai and DasGupta 2001).

    Wilson's interval covers rates near 0 and 1 too rarely. The limit replaces the outer end if there are at most
    two (n ≤ 50) or three successes or failures, and changes nothing elsewhere.

    >>> modified_wilson(2, 50).low < wilson(2, 50).low, modified_wilson(9, 50) == wilson(9, 50)
    (True, True)
    """
    interval = wilson(successes, n, confidence)
    max_rare = 2 if n <= 50 else 3
    if 0 < successes <= max_rare and successes < n - max_rare:
        low = min(interval.low, _poisson_limit(successes, n, confidence))
        return replace(interval, low=low, method="modified-wilson")
    if 0 < n - successes <= max_rare and n - successes < n - max_rare:
        high = max(interval.high, 1 - _poisson_limit(n - successes, n, confidence))
        return replace(interval, high=high, method="modified-wilson")
    return interval


def effective_wilson(value: float, error: float, n: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval at the sample size for which a proportion has this standard error.

    It keeps the range 0–1 and the skew that a symmetric interval lacks. At 0 or 1, or if the error is 0, the number
    of items is the effective size.

    >>> round(effective_wilson(0.8, 0.1264911, 10).low, 4), round(wilson(8, 10).low, 4)
    (0.4902, 0.4902)
    """
    if not math.isfinite(value) or not math.isfinite(error) or n <= 0:
        return Interval(value, math.nan, math.nan, confidence, "effective-wilson")
    share = min(max(value, 0.0), 1.0)
    size = share * (1 - share) / error**2 if error > 0 and 0 < share < 1 else float(n)
    interval = wilson(share * size, size, confidence)
    return Interval(value, interval.low, interval.high, confidence, "effective-wilson")


def newcombe_difference(
    successes_a: float, n_a: float, successes_b: float, n_b: float, confidence: float = 0.95
) -> Interval:
    """Return the difference of two proportions of independent items (Newcombe 1998, method 10).

    >>> interval = newcombe_difference(80, 100, 60, 100)
    >>> round(interval.value, 2), round(interval.low, 3), round(interval.high, 3)
    (0.2, 0.073, 0.319)
    """
    if n_a < 1 or n_b < 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "newcombe")
    a, b = wilson(successes_a, n_a, confidence), wilson(successes_b, n_b, confidence)
    difference = a.value - b.value
    below = math.hypot(a.value - a.low, b.high - b.value)
    above = math.hypot(a.high - a.value, b.value - b.low)
    return Interval(difference, difference - below, difference + above, confidence, "newcombe")


def paired_difference_bound(successes_a: float, successes_b: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the difference of two proportions of the same items if it is unknown which items each got right.

    The interval is the widest of all overlaps: at most p + q, and at most (1 − p) + (1 − q), of the items differ.

    >>> interval = paired_difference_bound(80, 60, 100)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.053, 0.347)
    """
    if n < 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "bound")
    _check_counts(successes_a, n)
    _check_counts(successes_b, n)
    p, q = successes_a / n, successes_b / n
    gap = p - q
    discordant = min(1.0, 2 - p - q, p + q)
    half = normal_quantile(confidence) * math.sqrt(max(discordant - gap * gap, 0.0) / n)
    return Interval(gap, max(-1.0, gap - half), min(1.0, gap + half), confidence, "bound")


def _check_counts(successes: float, n: float) -> None:
    if n < 0 or not 0 <= successes <= n:
        raise UsageError(f"must lie between 0 and n, and there are {successes} of {n}", option="successes")


def _poisson_limit(successes: float, n: float, confidence: float) -> float:
    from scipy.special import chdtri

    return float(chdtri(2 * successes, confidence)) / 2 / n
