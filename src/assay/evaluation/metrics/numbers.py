"""Metrics of graded labels: how predicted numbers follow the gold numbers."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import Numbers
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, Metric, divide, stack_columns
from assay.statistics import Interval, fisher_interval


class CorrelationMetric(Metric):
    """A correlation, from the first and second moments of two columns."""

    needs = (Numbers,)
    bounds = (-1.0, 1.0)
    undefined = "gold or predictions are constant"

    def compute_value(self, sums: Array) -> Array:
        """Return the linear correlation; undefined where one column is constant."""
        n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
        spread = np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0)
        return divide(n * xy - x * y, np.sqrt(np.where(spread > 1e-18 * (n * n) ** 2, spread, 0.0)))


@METRICS.add("pearson")
class Pearson(CorrelationMetric):
    """The linear correlation of gold and predicted grades."""

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return the moments around the mean of all items: squares of large numbers would lose their differences."""
        x, y = _select_pairs(items)
        return _collect_moments(items, x - x.mean(), y - y.mean())


@METRICS.add("spearman")
class Spearman(CorrelationMetric):
    """The rank correlation of gold and predicted grades.

    Resamples keep the ranks of the whole sample; the usual interval does not resample.
    """

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return the moments of the mean ranks among the items that count: Spearman is Pearson of ranks."""
        from scipy.stats import rankdata

        x, y = _select_pairs(items)
        ranks = np.zeros((2, len(x)))
        ranks[:, items.present] = rankdata(x[items.present]), rankdata(y[items.present])
        middle = (items.present.sum() + 1) / 2
        return _collect_moments(items, *(ranks - middle))

    def compute_interval(self, value: float, n: int, confidence: float) -> Interval:
        """Return the interval of Bonett and Wright (2000), symmetric on Fisher's scale."""
        variance = (1 + value * value / 2) / (n - 3) if n > 3 and math.isfinite(value) else math.nan
        ends = fisher_interval(value, variance, confidence) if math.isfinite(value) else (math.nan, math.nan)
        return Interval(value, *ends, confidence, "bonett-wright")


@METRICS.add("rmse")
class RootMeanSquaredError(Metric):
    """The root of the mean squared error of grades."""

    needs = (Numbers,)
    bounds = None
    lower_is_better = True

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return each item's squared error, and one."""
        x, y = _select_pairs(items)
        return stack_columns(items, (x - y) ** 2, np.ones(len(x)))

    def compute_value(self, sums: Array) -> Array:
        """Return the root of the mean."""
        return np.sqrt(divide(sums[..., 0], sums[..., 1]))


def _select_pairs(items: ScoredItems) -> tuple[Array, Array]:
    numbers = items[Numbers]
    return np.where(items.present, numbers.gold, 0.0), np.where(items.present, numbers.predicted, 0.0)


def _collect_moments(items: ScoredItems, x: Array, y: Array) -> Array:
    return stack_columns(items, np.ones(len(x)), x, y, x * x, y * y, x * y)
