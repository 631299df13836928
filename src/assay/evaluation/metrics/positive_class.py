"""Precision, recall and F1 of the positive class."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import Labels, PositiveLabel
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, Metric, Proportion, divide, stack_columns


class PositiveClassMetric(Metric):
    """A metric of true positives, false positives and false negatives."""

    needs = (Labels, PositiveLabel)

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return whether each item is a true positive, a false positive, a false negative."""
        labels, positive = items[Labels], items[PositiveLabel].code
        gold, predicted = np.asarray(labels.gold == positive), np.asarray(labels.predicted == positive)
        return stack_columns(items, gold & predicted, ~gold & predicted, gold & ~predicted)


@METRICS.add("precision")
class Precision(PositiveClassMetric):
    """The share of the predicted positives that are positive."""

    fallback = "macro-precision"
    undefined = "the positive class was never predicted"

    def compute_value(self, sums: Array) -> Array:
        """Return TP / (TP + FP)."""
        return divide(sums[..., 0], sums[..., 0] + sums[..., 1])

    def find_proportion(self, sums: Array) -> Proportion:
        """Return the true positives among the predicted ones."""
        return Proportion(float(sums[0]), float(sums[0] + sums[1]))


@METRICS.add("recall")
class Recall(PositiveClassMetric):
    """The share of the positives that are predicted."""

    fallback = "macro-recall"
    undefined = "the positive class is not in gold"

    def compute_value(self, sums: Array) -> Array:
        """Return TP / (TP + FN)."""
        return divide(sums[..., 0], sums[..., 0] + sums[..., 2])

    def find_proportion(self, sums: Array) -> Proportion:
        """Return the true positives among those in gold."""
        return Proportion(float(sums[0]), float(sums[0] + sums[2]))


@METRICS.add("f1")
class F1(PositiveClassMetric):
    """The harmonic mean of precision and recall of the positive class.

    TP among TP + FP + FN is a share J, and F1 = 2 J / (1 + J) rises with it.
    """

    fallback = "macro-f1"
    undefined = "the positive class is neither in gold nor predicted"

    def compute_value(self, sums: Array) -> Array:
        """Return 2 TP / (2 TP + FP + FN)."""
        return divide(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])

    def find_proportion(self, sums: Array) -> Proportion:
        """Return the true positives among the items of the class in gold or predictions."""
        return Proportion(float(sums[0]), float(sums.sum()))

    def transform_share(self, share: float) -> float:
        """Turn J into F1."""
        return 2 * share / (1 + share)
