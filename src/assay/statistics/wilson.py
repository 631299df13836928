"""The score interval of a proportion (Wilson 1927)."""

from __future__ import annotations

import math

from assay.base.errors import UsageError
from assay.statistics.interval import Interval, tails


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the interval of a proportion; it never leaves 0–1 and does not collapse at 0 or 1.

    >>> interval = wilson(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    from scipy.special import ndtri

    if n < 0 or not 0 <= successes <= n:
        raise UsageError(f"{successes} successes of {n}; the successes must lie between 0 and n.")
    tails(confidence)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, confidence, "wilson")
    share, z = successes / n, float(ndtri(tails(confidence)[1]))
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if successes == 0 else max(0.0, middle - half)  # exact at the ends, where rounding is not
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Interval(share, low, high, confidence, "wilson")
