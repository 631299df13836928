"""Intervals from resampled values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assay.statistics.interval import tails
from assay.views.values import Interval


def percentile(values: ArrayLike, confidence: float = 0.95, value: float | None = None) -> Interval:
    """Cut the tails off the resampled values; undefined (nan) resamples are left out.

    `value` is the estimate on the whole sample; without it the median of the resamples is used.

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


def bca(value: float, resampled: object, jackknifed: object, confidence: float = 0.95) -> Interval:
    """Shift the percentiles for the bias and the skew of the resampled values (BCa, Efron 1987).

    `jackknifed` holds the value without each item, or without each group. Ties with the value count half. If the
    correction is undefined (all resamples on one side), the percentile interval is returned.

    >>> round(bca(2.0, [1.0, 2.0, 3.0], [1.9, 2.0, 2.1], confidence=0.5).low, 2)
    1.5
    """
    from scipy.special import ndtr, ndtri

    values = np.asarray(resampled, dtype=float)
    values = values[np.isfinite(values)]
    share = float(np.mean(values < value) + np.mean(values == value) / 2) if len(values) else 0.0
    if not 0 < share < 1 or np.ptp(values) == 0:
        return percentile(values, confidence, value)
    bias, acceleration = ndtri(share), _compute_acceleration(jackknifed)
    points = ndtri(np.array(tails(confidence)))
    levels = ndtr(bias + (bias + points) / (1 - acceleration * (bias + points)))
    if not np.isfinite(levels).all():  # values so large that their skew is undefined
        return percentile(values, confidence, value)
    ends = np.quantile(values, levels)
    return Interval(float(value), float(ends[0]), float(ends[1]), confidence, "bca")


def _compute_acceleration(jackknifed: object) -> float:
    values = np.asarray(jackknifed, dtype=float)
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0
    influence = values.mean() - values
    spread = float((influence**2).sum()) ** 1.5
    return float((influence**3).sum()) / (6 * spread) if spread > 0 else 0.0
