"""Accuracy of predicted labels."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import Labels
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, ItemMetric


@METRICS.add("accuracy")
class Accuracy(ItemMetric):
    """The share of items whose label is right."""

    needs = (Labels,)
    is_share = True

    def score_items(self, items: ScoredItems) -> Array:
        """Return 1 for items with the right label."""
        labels = items[Labels]
        return np.asarray(labels.gold == labels.predicted)
