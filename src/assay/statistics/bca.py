"""The bias-corrected and accelerated bootstrap interval (Efron 1987)."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.statistics.interval import Interval, tails
from assay.statistics.percentile import percentile


def bca(value: float, resampled: Any, jackknifed: Any, confidence: float = 0.95) -> Interval:
    """Shift the percentiles for the bias and the skew of the resampled values.

    `jackknifed` holds the value without each item, or without each group. Ties with the value count
    half; where the correction is undefined (all resamples on one side) the percentile interval stands.

    >>> round(bca(2.0, [1.0, 2.0, 3.0], [1.9, 2.0, 2.1], confidence=0.5).low, 2)
    1.5
    """
    from scipy.special import ndtr, ndtri

    values = np.asarray(resampled, dtype=float)
    values = values[np.isfinite(values)]
    share = float(np.mean(values < value) + np.mean(values == value) / 2) if len(values) else 0.0
    if not 0 < share < 1 or np.ptp(values) == 0:
        return percentile(values, confidence, value)
    bias, skew = ndtri(share), _acceleration(jackknifed)
    points = ndtri(np.array(tails(confidence)))
    levels = ndtr(bias + (bias + points) / (1 - skew * (bias + points)))
    ends = np.quantile(values, levels)
    return Interval(float(value), float(ends[0]), float(ends[1]), confidence, "bca")


def _acceleration(jackknifed: Any) -> float:
    left_out = np.asarray(jackknifed, dtype=float)
    left_out = left_out[np.isfinite(left_out)]
    if not len(left_out):
        return 0.0
    influence = left_out.mean() - left_out
    spread = float((influence**2).sum()) ** 1.5
    return float((influence**3).sum()) / (6 * spread) if spread > 0 else 0.0
