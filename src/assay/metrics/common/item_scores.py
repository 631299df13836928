"""The mean of item scores, for tasks without class labels."""

from __future__ import annotations

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import register_metric


@register_metric("mean-score", needs=("item scores",), bounds=None, bounds_from_scores=True)
def get_scores(items: AnsweredItems) -> Array:
    """The mean of item scores."""
    return items.scores
