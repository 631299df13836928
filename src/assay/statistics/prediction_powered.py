"""Means of values that a judge predicts for all items and people label for some."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.statistics.interval import tails
from assay.views.results import Result
from assay.views.values import Interval

MIN_ERRORS = 3  # of a judge, before their spread is taken as known


@dataclass(frozen=True)
class PredictionPowered(Result):
    """A mean from labels and predictions, its interval, and the interval that the labels alone give.

    `labels` is the estimate from the labels alone. `tuning` is how far the predictions are used (0: not at all).
    `relative_width` is the width of the interval divided by that of the labels alone. `sd_labels` and `sd_residuals`
    are the deviations of labels, and of labels minus the part of them that the predictions explain.
    """

    value: float
    low: float
    high: float
    n_labelled: int
    n_predicted: int
    tuning: float
    relative_width: float
    labels: Interval
    sd_labels: float
    sd_residuals: float
    sd_predictions: float


def estimate_powered_mean(
    labels: ArrayLike,
    predicted: ArrayLike,
    others: ArrayLike,
    confidence: float = 0.95,
    weights: ArrayLike | None = None,
    span: float = 0.0,
) -> PredictionPowered:
    """Estimate a mean from labelled items, predictions on the same items, and predictions on all other items.

    PPI++ (Angelopoulos, Duchi and Zrnic 2023) with the power tuning that makes the variance smallest. Labelled items
    are a random sample of all items; `weights` are 1 / (probability of being labelled), up to a factor, if some items
    were more likely to be labelled than others. The predictions are then averaged over all items, because those without
    a label are not a random sample either. `span` is the range of the labels: the
    standard error is at least 1.5 span / n while the judge has erred on fewer than three labels, so that it is not
    taken for perfect.
    Intervals use t with n − 2 degrees of freedom, as the tuning is estimated from the same labels.

    >>> result = estimate_powered_mean([1, 0, 1, 1, 0, 1], [1, 0, 1, 1, 0, 0], [1, 0] * 50)
    >>> round(result.value, 2), result.relative_width < 0.9
    (0.67, True)
    """
    from scipy.special import stdtrit

    y, f, g = (np.asarray(values, dtype=float) for values in (labels, predicted, others))
    if y.shape != f.shape or y.ndim != 1:
        raise UsageError(f"Labels and predictions must be equally long; they have shape {y.shape} and {f.shape}.")
    n, rest = len(y), len(g)
    if n < 3:
        raise UsageError(f"{n} items are labelled.", hint="At least 3 labelled items are needed.")
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    w = w / w.mean()
    tuning = _tune(y, f, g, w) if rest > 1 else 0.0
    residuals = y - tuning * f
    t = float(stdtrit(max(n - 2, 1), tails(confidence)[1]))
    base = g if weights is None else np.concatenate([f, g])
    value = _average(residuals, w) + (tuning * float(base.mean()) if rest else 0.0)
    least = (1.5 * span / n) ** 2 if (y != f).sum() < MIN_ERRORS else 0.0
    of_base = tuning**2 * float(base.var(ddof=1)) / len(base) if rest > 1 else 0.0
    if weights is not None:  # labelled items are in both averages
        of_base += 2 * tuning * _covariance(residuals, f, w) / len(base)
    error = math.sqrt(max(_mean_variance(residuals, w), least) + max(of_base, 0.0))
    alone, alone_error = _average(y, w), math.sqrt(_mean_variance(y, w))
    return PredictionPowered(
        value,
        value - t * error,
        value + t * error,
        n,
        n + rest,
        tuning,
        error / alone_error if alone_error > 0 else math.nan,
        Interval(alone, alone - t * alone_error, alone + t * alone_error, confidence, "labels alone"),
        float(y.std(ddof=1)),
        float(residuals.std(ddof=1)),
        float(np.concatenate([f, g]).std(ddof=1)),
    )


def count_labels(
    sd_residuals: float, sd_predictions: float, tuning: float, n_items: int, half_width: float
) -> int | None:
    """Return how many labels give an interval of this half width (95%); None if even labels on all items do not.

    >>> count_labels(0.5, 0.0, 0.0, 10_000, 0.05)
    385
    """
    error = (half_width / 1.959964) ** 2
    left = error - tuning**2 * sd_predictions**2 / n_items
    if left <= 0:
        return None
    needed = math.ceil(sd_residuals**2 / left)
    return needed if needed <= n_items else None


def _tune(y: Array, f: Array, g: Array, w: Array) -> float:
    """Return the factor of the predictions with the smallest variance, between 0 and 1."""
    n, rest = len(y), len(g)
    spread = float(np.concatenate([f, g]).var(ddof=1))
    if spread <= 0:
        return 0.0
    return min(max(_covariance(y, f, w) / ((1 + n / rest) * spread), 0.0), 1.0)


def _covariance(first: Array, second: Array, weights: Array) -> float:
    centred = (first - _average(first, weights)) * (second - _average(second, weights))
    return float((weights * centred).sum()) / (len(first) - 1)


def _average(values: Array, weights: Array) -> float:
    return float((weights * values).sum() / weights.sum())


def _mean_variance(values: Array, weights: Array) -> float:
    """Return the variance of a weighted mean."""
    n = len(values)
    residuals = weights * (values - _average(values, weights))
    return float((residuals**2).sum()) / (n * (n - 1))
