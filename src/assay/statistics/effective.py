"""A score interval for any number in 0–1 whose standard error is known."""

from __future__ import annotations

import math

from assay.statistics.interval import Interval
from assay.statistics.wilson import wilson


def effective_wilson(value: float, error: float, n: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval at the sample size that a proportion of this standard error would have.

    It keeps the range 0–1 and the skew that a symmetric interval lacks. At 0 or 1, or with no
    spread, the number of items stands for the effective size.

    >>> effective_wilson(0.8, 0.1264911, 10).low == wilson(8, 10).low
    False
    >>> round(effective_wilson(0.8, 0.1264911, 10).low, 4)
    0.4902
    """
    if not math.isfinite(value) or not math.isfinite(error) or n <= 0:
        return Interval(value, math.nan, math.nan, confidence, "effective-wilson")
    inside = min(max(value, 0.0), 1.0)
    size = inside * (1 - inside) / error**2 if error > 0 and 0 < inside < 1 else float(n)
    found = wilson(inside * size, size, confidence)
    return Interval(value, found.low, found.high, confidence, "effective-wilson")
