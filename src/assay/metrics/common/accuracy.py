"""Accuracy of predicted labels."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import register_metric


@register_metric("accuracy", needs=("labels",), is_share=True)
def score_accuracy(items: AnsweredItems) -> Array:
    """The share of items whose label is right."""
    return np.asarray(items.gold == items.predicted)
