"""Metrics of graded labels: how predicted numbers follow the gold numbers."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, counted, ratio


def _moments(items: Items) -> Array:
    x, y = _pair(items)
    # Around the middle of all items, or the squares of large numbers swallow their differences.
    x, y = x - x.mean(), y - y.mean()
    return counted(items, np.ones(len(x)), x, y, x * x, y * y, x * y)


def pearson(sums: Array) -> Array:
    """Return the linear correlation; undefined where gold or predictions are constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0)
    return ratio(n * xy - x * y, np.sqrt(np.where(spread > 1e-18 * (n * n) ** 2, spread, 0.0)))


def _squares(items: Items) -> Array:
    x, y = _pair(items)
    return counted(items, (x - y) ** 2, np.ones(len(x)))


def _ranks(items: Items) -> Array:
    """Replace numbers by their mean ranks among the items that count: Spearman is Pearson of ranks.

    Resamples keep the ranks of the whole sample; the interval does not use them (it is Bonett and Wright's).
    """
    from scipy.stats import rankdata

    x, y = _pair(items)
    ranked = np.zeros((2, len(x)))
    ranked[:, items.present] = rankdata(x[items.present]), rankdata(y[items.present])
    middle = (items.present.sum() + 1) / 2
    x, y = ranked - middle
    return counted(items, np.ones(len(x)), x, y, x * x, y * y, x * y)


def _pair(items: Items) -> tuple[Array, Array]:
    assert items.gold_values is not None
    assert items.predicted_values is not None
    fill = np.where(items.present, 1.0, 0.0) > 0
    return np.where(fill, items.gold_values, 0.0), np.where(fill, items.predicted_values, 0.0)


_CONSTANT = "gold or predictions are constant"
PEARSON = Metric("pearson", ("values",), _moments, pearson, bounds=(-1.0, 1.0), undefined=_CONSTANT)
SPEARMAN = Metric("spearman", ("values",), _ranks, pearson, bounds=(-1.0, 1.0), undefined=_CONSTANT)
RMSE = Metric(
    "rmse",
    ("values",),
    _squares,
    lambda sums: np.sqrt(ratio(sums[..., 0], sums[..., 1])),
    bounds=None,
    lower_is_better=True,
)
