"""The mean of item scores, for tasks without class labels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import ItemScores
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, Bounds, ItemMetric


@METRICS.add("mean-score")
class MeanScore(ItemMetric):
    """The mean of item scores."""

    needs = (ItemScores,)
    bounds = None

    def score_items(self, items: ScoredItems) -> Array:
        """Return the scores as they are."""
        return items[ItemScores].values

    def find_bounds(self, tables: Iterable[Array]) -> Bounds | None:
        """Return 0 and 1 if all scores are within them."""
        return (0.0, 1.0) if all(_is_within_one(table) for table in tables) else None

    def is_at_most_one(self, values: Iterable[float]) -> bool:
        """Return whether no mean is above 1."""
        return all(not value > 1 for value in values)


def _is_within_one(table: Array) -> bool:
    means = table[:, 0] / np.maximum(table[:, 1], 1e-300)
    return bool((means >= 0).all() and (means <= 1).all())
