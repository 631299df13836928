"""The mean of item scores, for tasks without class labels."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, counted, ratio


def _scores(items: Items) -> Array:
    assert items.outcomes is not None
    return counted(items, np.where(items.present, items.outcomes, 0.0), np.ones(len(items.outcomes)))


MEAN_SCORE = Metric("mean-score", ("outcomes",), _scores, lambda sums: ratio(sums[..., 0], sums[..., 1]), bounds=None)
