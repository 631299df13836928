"""Metrics of graded labels: how predicted numbers follow the gold numbers."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import divide, register_metric
from assay.statistics import Interval, fisher_interval

CONSTANT = "gold or predictions are constant"


def correlate_moments(sums: Array) -> Array:
    """Return the linear correlation from moments; undefined if one column is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0)
    return divide(n * xy - x * y, np.sqrt(np.where(spread > 1e-18 * (n * n) ** 2, spread, 0.0)))


def compute_spearman_interval(value: float, n: int, confidence: float) -> Interval:
    """Return the interval of Bonett and Wright (2000), symmetric on Fisher's scale."""
    variance = (1 + value * value / 2) / (n - 3) if n > 3 and math.isfinite(value) else math.nan
    ends = fisher_interval(value, variance, confidence) if math.isfinite(value) else (math.nan, math.nan)
    return Interval(value, *ends, confidence, "bonett-wright")


def compute_root_mean(sums: Array) -> Array:
    """Return the root of the mean."""
    return np.sqrt(divide(sums[..., 0], sums[..., 1]))


@register_metric("pearson", needs=("numbers",), combine=correlate_moments, bounds=(-1.0, 1.0), undefined=CONSTANT)
def collect_moments(items: AnsweredItems) -> Array:
    """The linear correlation of gold and predicted grades."""
    x, y = _select_pairs(items)
    # Around the mean of all items: squares of large numbers would lose their differences.
    return _stack_moments(x - x.mean(), y - y.mean())


@register_metric(
    "spearman",
    needs=("numbers",),
    combine=correlate_moments,
    bounds=(-1.0, 1.0),
    undefined=CONSTANT,
    interval=compute_spearman_interval,
)
def collect_rank_moments(items: AnsweredItems) -> Array:
    """The rank correlation of gold and predicted grades.

    Spearman is Pearson of ranks. Resamples keep the ranks of the whole sample; the usual interval does not resample.
    """
    from scipy.stats import rankdata

    x, y = _select_pairs(items)
    ranks = np.zeros((2, len(x)))
    ranks[:, items.present] = rankdata(x[items.present]), rankdata(y[items.present])
    middle = (items.present.sum() + 1) / 2
    return _stack_moments(*(ranks - middle))


@register_metric("rmse", needs=("numbers",), combine=compute_root_mean, bounds=None, lower_is_better=True)
def collect_squared_errors(items: AnsweredItems) -> Array:
    """The root of the mean squared error of grades."""
    x, y = _select_pairs(items)
    return np.stack([(x - y) ** 2, np.ones(len(x))], axis=1)


def _select_pairs(items: AnsweredItems) -> tuple[Array, Array]:
    present = items.present
    return np.where(present, items.gold_numbers, 0.0), np.where(present, items.predicted_numbers, 0.0)


def _stack_moments(x: Array, y: Array) -> Array:
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
