"""Averages of precision, recall and F1 over the classes, and Matthews' correlation."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import Labels
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, Metric, divide


class ClassCounts(NamedTuple):
    """How often each class (the last axis) is predicted rightly, predicted, and gold."""

    hits: Array
    predicted: Array
    gold: Array


class ClassMetric(Metric):
    """A metric of the counts of every class."""

    needs = (Labels,)

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return, for each class, whether an item is a true positive, predicted so, gold so."""
        labels, rows = items[Labels], np.flatnonzero(items.present)
        table = np.zeros((len(items), 3 * labels.n_labels), dtype=np.float32)
        gold, predicted = labels.gold[rows], labels.predicted[rows]
        answered = predicted >= 0
        table[rows[answered], labels.n_labels + predicted[answered]] = 1
        table[rows, 2 * labels.n_labels + gold] = 1
        correct = gold == predicted
        table[rows[correct], gold[correct]] = 1
        return table

    def compute_value(self, sums: Array) -> Array:
        """Turn sums into counts of the classes, and those into the metric."""
        n_labels = sums.shape[-1] // 3
        counts = ClassCounts(sums[..., :n_labels], sums[..., n_labels : 2 * n_labels], sums[..., 2 * n_labels :])
        return self.combine_classes(counts)

    @abstractmethod
    def combine_classes(self, counts: ClassCounts) -> Array:
        """Turn the counts of the classes into the metric."""


class ClassAverage(ClassMetric):
    """An average of one measure over the classes.

    A class that is never predicted, or never gold, counts as 0; one that is neither is left out (as in scikit-learn).
    """

    measure: ClassVar[Literal["precision", "recall", "f1"]]

    def score_classes(self, counts: ClassCounts) -> Array:
        """Return the measure of each class, nan for a class that is neither in gold nor predicted."""
        absent = (counts.predicted + counts.gold) == 0
        if self.measure == "f1":
            values = 2 * counts.hits / np.maximum(counts.predicted + counts.gold, 1e-300)
        else:
            total = counts.predicted if self.measure == "precision" else counts.gold
            values = np.where(total > 0, counts.hits / np.maximum(total, 1e-300), 0.0)
        return np.where(absent, np.nan, values)


class MacroAverage(ClassAverage):
    """An average over the classes in which all weigh the same."""

    def combine_classes(self, counts: ClassCounts) -> Array:
        """Average over the classes in gold or predictions."""
        classes = self.score_classes(counts)
        present = ~np.isnan(classes)
        return divide(np.where(present, classes, 0.0).sum(axis=-1), present.sum(axis=-1))


class WeightedAverage(ClassAverage):
    """An average over the classes by their share of gold."""

    def combine_classes(self, counts: ClassCounts) -> Array:
        """Average over the classes by how often each is gold."""
        classes = np.nan_to_num(self.score_classes(counts))
        return divide((classes * counts.gold).sum(axis=-1), counts.gold.sum(axis=-1))


@METRICS.add("macro-precision")
class MacroPrecision(MacroAverage):
    """Precision averaged over the classes, all weighing the same."""

    measure = "precision"


@METRICS.add("macro-recall")
class MacroRecall(MacroAverage):
    """Recall averaged over the classes, all weighing the same."""

    measure = "recall"


@METRICS.add("macro-f1")
class MacroF1(MacroAverage):
    """F1 averaged over the classes, all weighing the same."""

    measure = "f1"


@METRICS.add("weighted-precision")
class WeightedPrecision(WeightedAverage):
    """Precision averaged over the classes by their share of gold."""

    measure = "precision"


@METRICS.add("weighted-recall")
class WeightedRecall(WeightedAverage):
    """Recall averaged over the classes by their share of gold."""

    measure = "recall"


@METRICS.add("weighted-f1")
class WeightedF1(WeightedAverage):
    """F1 averaged over the classes by their share of gold."""

    measure = "f1"


@METRICS.add("micro-f1")
class MicroF1(ClassMetric):
    """F1 of all classes counted together."""

    def combine_classes(self, counts: ClassCounts) -> Array:
        """Add up the counts of all classes first."""
        return divide(2 * counts.hits.sum(axis=-1), (counts.predicted + counts.gold).sum(axis=-1))


@METRICS.add("mcc")
class MatthewsCorrelation(ClassMetric):
    """Matthews' correlation of gold and predicted classes.

    It is undefined where gold or predictions are constant. Missing answers count as one more class.
    """

    bounds = (-1.0, 1.0)
    undefined = "gold or predictions have one class only"

    def combine_classes(self, counts: ClassCounts) -> Array:
        """Correlate the classes, however many there are."""
        n = counts.gold.sum(axis=-1)
        unanswered = n - counts.predicted.sum(axis=-1)
        covariance = n * counts.hits.sum(axis=-1) - (counts.predicted * counts.gold).sum(axis=-1)
        spread_predicted = n**2 - (counts.predicted**2).sum(axis=-1) - unanswered**2
        spread_gold = n**2 - (counts.gold**2).sum(axis=-1)
        return divide(covariance, np.sqrt(np.maximum(spread_predicted * spread_gold, 0.0)))
