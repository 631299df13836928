"""Precision, recall and F1 of one class, and the counts behind the averages over classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, counted, ratio


def one_class(items: Items) -> Array:
    """Return each item's true positive, false positive and false negative of the positive class."""
    gold, predicted = np.asarray(items.gold == items.positive), np.asarray(items.predicted == items.positive)
    return counted(items, gold & predicted, ~gold & predicted, gold & ~predicted)


def precision(sums: Array) -> Array:
    """Return the share of the predicted that are right."""
    return ratio(sums[..., 0], sums[..., 0] + sums[..., 1])


def recall(sums: Array) -> Array:
    """Return the share of the gold that were found."""
    return ratio(sums[..., 0], sums[..., 0] + sums[..., 2])


def f1(sums: Array) -> Array:
    """Return 2 TP / (2 TP + FP + FN), undefined only where the class is neither in gold nor predicted."""
    return ratio(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])


def every_class(items: Items) -> Array:
    """Return, for each class, whether an item is its true positive, predicted so, gold so."""
    assert items.gold is not None
    assert items.predicted is not None
    rows, n = np.flatnonzero(items.present), items.n_labels
    table = np.zeros((len(items.present), 3 * n), dtype=np.float32)
    gold, predicted = items.gold[rows], items.predicted[rows]
    given = predicted >= 0
    table[rows[given], n + predicted[given]] = 1
    table[rows, 2 * n + gold] = 1
    right = gold == predicted
    table[rows[right], gold[right]] = 1
    return table


def thirds(sums: Array) -> tuple[Array, Array, Array]:
    """Take sums of `every_class` apart: true positives, predicted, gold, by class."""
    n = sums.shape[-1] // 3
    return sums[..., :n], sums[..., n : 2 * n], sums[..., 2 * n :]


def of_class(metric: Metric, label: int) -> Metric:
    """Return a metric of the positive class for another class."""

    def statistics(items: Items) -> Array:
        return metric.statistics(replace(items, positive=label))

    needs = tuple(need for need in metric.needs if need != "positive")
    return replace(metric, statistics=statistics, needs=needs)


_NEEDS = ("predicted", "positive")

# F1 is a share in disguise: TP of TP + FP + FN is binomial, and F1 = 2 J / (1 + J) rises with it.
PER_CLASS = {
    "precision": Metric(
        "precision",
        _NEEDS,
        one_class,
        precision,
        proportion=lambda sums: (float(sums[0]), float(sums[0] + sums[1])),
        undefined="the positive class was never predicted",
    ),
    "recall": Metric(
        "recall",
        _NEEDS,
        one_class,
        recall,
        proportion=lambda sums: (float(sums[0]), float(sums[0] + sums[2])),
        undefined="the positive class is not in gold",
    ),
    "f1": Metric(
        "f1",
        _NEEDS,
        one_class,
        f1,
        proportion=lambda sums: (float(sums[0]), float(sums.sum())),
        transform=lambda share: 2 * share / (1 + share),
        undefined="the positive class is neither in gold nor predicted",
    ),
}
