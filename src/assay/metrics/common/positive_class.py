"""Precision, recall and F1 of the positive class."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems, Need
from assay.metrics.metric import divide, register_metric


def count_positives(items: AnsweredItems) -> Array:
    """Return whether each item is a true positive, a false positive, a false negative."""
    gold, predicted = np.asarray(items.gold == items.positive), np.asarray(items.predicted == items.positive)
    return np.stack([gold & predicted, ~gold & predicted, gold & ~predicted], axis=1)


def compute_precision(sums: Array) -> Array:
    """Return TP / (TP + FP)."""
    return divide(sums[..., 0], sums[..., 0] + sums[..., 1])


def compute_recall(sums: Array) -> Array:
    """Return TP / (TP + FN)."""
    return divide(sums[..., 0], sums[..., 0] + sums[..., 2])


def compute_f1(sums: Array) -> Array:
    """Return 2 TP / (2 TP + FP + FN)."""
    return divide(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])


def _count_predicted(sums: Array) -> tuple[float, float]:
    return sums[0], sums[0] + sums[1]


def _count_gold(sums: Array) -> tuple[float, float]:
    return sums[0], sums[0] + sums[2]


def _count_either(sums: Array) -> tuple[float, float]:
    return sums[0], sums.sum()


def _share_to_f1(share: float) -> float:
    # TP among TP + FP + FN is a share J, and F1 = 2 J / (1 + J) rises with it.
    return 2 * share / (1 + share)


NEEDS: tuple[Need, ...] = ("labels", "positive label")

register_metric(
    "precision",
    needs=NEEDS,
    description="The share of the predicted positives that are positive.",
    combine=compute_precision,
    proportion=_count_predicted,
    fallback="macro-precision",
    undefined="the positive class was never predicted",
)(count_positives)
register_metric(
    "recall",
    needs=NEEDS,
    description="The share of the positives that are predicted.",
    combine=compute_recall,
    proportion=_count_gold,
    fallback="macro-recall",
    undefined="the positive class is not in gold",
)(count_positives)
register_metric(
    "f1",
    needs=NEEDS,
    description="The harmonic mean of precision and recall of the positive class.",
    combine=compute_f1,
    proportion=_count_either,
    transform=_share_to_f1,
    fallback="macro-f1",
    undefined="the positive class is neither in gold nor predicted",
)(count_positives)
