"""Averages of precision, recall and F1 over the classes, and Matthews' correlation."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import divide, register_metric

ClassMeasure = Literal["precision", "recall", "f1"]


class ClassCounts(NamedTuple):
    """How often each class (the last axis) is predicted rightly, predicted, and gold."""

    hits: Array
    predicted: Array
    gold: Array


def count_classes(items: AnsweredItems) -> Array:
    """Return, for each class, whether an item is a true positive, predicted so, gold so."""
    n_labels, rows = items.n_labels, np.flatnonzero(items.present)
    table = np.zeros((len(items), 3 * n_labels), dtype=np.float32)
    gold, predicted = items.gold[rows], items.predicted[rows]
    answered = predicted >= 0
    table[rows[answered], n_labels + predicted[answered]] = 1
    table[rows, 2 * n_labels + gold] = 1
    correct = gold == predicted
    table[rows[correct], gold[correct]] = 1
    return table


def average_macro(sums: Array, measure: ClassMeasure) -> Array:
    """Average a measure over the classes in gold or predictions."""
    classes = _score_classes(_cut_counts(sums), measure)
    present = ~np.isnan(classes)
    return divide(np.where(present, classes, 0.0).sum(axis=-1), present.sum(axis=-1))


def average_weighted(sums: Array, measure: ClassMeasure) -> Array:
    """Average a measure over the classes by how often each is gold."""
    counts = _cut_counts(sums)
    classes = np.nan_to_num(_score_classes(counts, measure))
    return divide((classes * counts.gold).sum(axis=-1), counts.gold.sum(axis=-1))


def compute_micro_f1(sums: Array) -> Array:
    """Add up the counts of all classes first."""
    counts = _cut_counts(sums)
    return divide(2 * counts.hits.sum(axis=-1), (counts.predicted + counts.gold).sum(axis=-1))


def correlate_classes(sums: Array) -> Array:
    """Correlate the classes, however many there are; missing answers count as one more class."""
    counts = _cut_counts(sums)
    n = counts.gold.sum(axis=-1)
    unanswered = n - counts.predicted.sum(axis=-1)
    covariance = n * counts.hits.sum(axis=-1) - (counts.predicted * counts.gold).sum(axis=-1)
    spread_predicted = n**2 - (counts.predicted**2).sum(axis=-1) - unanswered**2
    spread_gold = n**2 - (counts.gold**2).sum(axis=-1)
    return divide(covariance, np.sqrt(np.maximum(spread_predicted * spread_gold, 0.0)))


def _cut_counts(sums: Array) -> ClassCounts:
    n_labels = sums.shape[-1] // 3
    return ClassCounts(sums[..., :n_labels], sums[..., n_labels : 2 * n_labels], sums[..., 2 * n_labels :])


def _score_classes(counts: ClassCounts, measure: ClassMeasure) -> Array:
    """Return the measure of each class, nan for a class that is neither in gold nor predicted.

    A class that is never predicted, or never gold, counts as 0; one that is neither is left out (as in scikit-learn).
    """
    absent = (counts.predicted + counts.gold) == 0
    if measure == "f1":
        values = 2 * counts.hits / np.maximum(counts.predicted + counts.gold, 1e-300)
    else:
        total = counts.predicted if measure == "precision" else counts.gold
        values = np.where(total > 0, counts.hits / np.maximum(total, 1e-300), 0.0)
    return np.where(absent, np.nan, values)


for each in get_args(ClassMeasure):
    title = each.capitalize()
    register_metric(
        f"macro-{each}",
        needs=("labels",),
        description=f"{title} averaged over the classes, all weighing the same.",
        combine=partial(average_macro, measure=each),
    )(count_classes)
    register_metric(
        f"weighted-{each}",
        needs=("labels",),
        description=f"{title} averaged over the classes by their share of gold.",
        combine=partial(average_weighted, measure=each),
    )(count_classes)
register_metric(
    "micro-f1", needs=("labels",), description="F1 of all classes counted together.", combine=compute_micro_f1
)(count_classes)
register_metric(
    "mcc",
    needs=("labels",),
    description="Matthews' correlation of gold and predicted classes.",
    combine=correlate_classes,
    bounds=(-1.0, 1.0),
    undefined="gold or predictions have one class only",
)(count_classes)
