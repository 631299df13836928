"""The percentile interval of resampled values."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.statistics.interval import Interval, tails


def percentile(values: Any, confidence: float = 0.95, value: float | None = None) -> Interval:
    """Cut the tails off the resampled values; undefined (nan) resamples are left out.

    `value` is the estimate on the whole sample; without it, the median of the resamples stands in.

    >>> percentile([1.0, 2.0, 3.0], confidence=0.5)
    Interval(value=2.0, low=1.5, high=2.5, confidence=0.5, method='percentile')
    """
    low, high = tails(confidence)
    finite = np.asarray(values, dtype=float)
    finite = finite[np.isfinite(finite)]
    if not len(finite):
        return Interval(float("nan") if value is None else value, float("nan"), float("nan"), confidence, "percentile")
    ends = np.quantile(finite, [low, high])
    middle = float(np.median(finite)) if value is None else float(value)
    return Interval(middle, float(ends[0]), float(ends[1]), confidence, "percentile")
