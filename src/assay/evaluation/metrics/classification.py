"""Metrics of predicted labels: accuracy, precision, recall, F1 and their averages, Matthews' correlation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, counted, ratio
from assay.evaluation.metrics.classes import PER_CLASS, every_class, thirds


def right(items: Items) -> Array:
    """Return whether each item is right, and one for each item."""
    return counted(items, items.gold == items.predicted, np.ones(len(items.present)))


def by_class(sums: Array) -> dict[str, Array]:
    """Return precision, recall and F1 of each class; 0 where nothing was predicted or nothing is gold.

    A class that is neither in gold nor predicted is nan and takes no part in the averages (as in scikit-learn).
    """
    hits, predicted, gold = thirds(sums)
    absent = (predicted + gold) == 0
    found = {
        "precision": np.where(predicted > 0, hits / np.maximum(predicted, 1e-300), 0.0),
        "recall": np.where(gold > 0, hits / np.maximum(gold, 1e-300), 0.0),
        "f1": 2 * hits / np.maximum(predicted + gold, 1e-300),
    }
    return {name: np.where(absent, np.nan, values) for name, values in found.items()}


def macro(name: str) -> Callable[[Array], Array]:
    """Average over the classes, each alike."""

    def value(sums: Array) -> Array:
        classes = by_class(sums)[name]
        present = ~np.isnan(classes)
        return ratio(np.where(present, classes, 0.0).sum(axis=-1), present.sum(axis=-1))

    return value


def weighted(name: str) -> Callable[[Array], Array]:
    """Average over the classes, each by its share of gold."""

    def value(sums: Array) -> Array:
        gold = thirds(sums)[2]
        return ratio((np.nan_to_num(by_class(sums)[name]) * gold).sum(axis=-1), gold.sum(axis=-1))

    return value


def mcc(sums: Array) -> Array:
    """Return Matthews' correlation of any number of classes; undefined where gold or predictions are constant.

    Answers that were not given count as one more class.
    """
    hits, predicted, gold = thirds(sums)
    n = gold.sum(axis=-1)
    lost = n - predicted.sum(axis=-1)
    cross = n * hits.sum(axis=-1) - (predicted * gold).sum(axis=-1)
    spread = (n**2 - (predicted**2).sum(axis=-1) - lost**2) * (n**2 - (gold**2).sum(axis=-1))
    return ratio(cross, np.sqrt(np.maximum(spread, 0.0)))


def _averaged(name: str, value: Callable[[Array], Array]) -> Metric:
    return Metric(name, ("predicted",), every_class, value)


ACCURACY = Metric(
    "accuracy",
    ("predicted",),
    right,
    lambda sums: ratio(sums[..., 0], sums[..., 1]),
    proportion=lambda sums: (float(sums[0]), float(sums[1])),
)
PRECISION, RECALL, F1 = PER_CLASS["precision"], PER_CLASS["recall"], PER_CLASS["f1"]
MACRO_PRECISION = _averaged("macro-precision", macro("precision"))
MACRO_RECALL = _averaged("macro-recall", macro("recall"))
MACRO_F1 = _averaged("macro-f1", macro("f1"))
WEIGHTED_PRECISION = _averaged("weighted-precision", weighted("precision"))
WEIGHTED_RECALL = _averaged("weighted-recall", weighted("recall"))
WEIGHTED_F1 = _averaged("weighted-f1", weighted("f1"))


def _micro(sums: Array) -> Array:
    hits, predicted, gold = thirds(sums)
    return ratio(2 * hits.sum(axis=-1), (predicted + gold).sum(axis=-1))


MICRO_F1 = _averaged("micro-f1", _micro)
MCC = Metric(
    "mcc", ("predicted",), every_class, mcc, bounds=(-1.0, 1.0), undefined="gold or predictions have one class only"
)
