"""Each class on its own: precision, recall and F1 with intervals, and the confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from assay.base.marks import NAME
from assay.evaluation.scoring.preparation import PreparedPredictions, Score
from assay.metrics import METRICS, AnsweredItems
from assay.views.results import Result


@dataclass(frozen=True)
class ClassScores(Result):
    """One class: how well it is recognised, how often it is gold and how often predicted."""

    label: str = field(metadata=NAME)
    precision: Score
    recall: Score
    f1: Score
    n_gold: int
    n_predicted: int


@dataclass(frozen=True)
class ClassTable(Result):
    """All classes of a system; row i, column j of the matrix counts items of label i predicted as label j.

    The labels of gold come first, then those that are only predicted. Missing answers are in no column.
    """

    _table: ClassVar[str] = "scores"
    labels: list[str] = field(metadata=NAME)
    matrix: list[list[int]]
    scores: list[ClassScores]


def score_classes(prepared: PreparedPredictions) -> dict[str, ClassTable]:
    """Return the classes of every system; nothing for grades and item scores."""
    if prepared.labels.graded or not prepared.labels.labels:
        return {}
    rows: dict[str, list[ClassScores]] = {name: [] for name in prepared.items}
    matrices = {name: count_confusions(items) for name, items in prepared.items.items() if items.has("labels")}
    for code, label in enumerate(prepared.labels.labels):
        one_class = prepared.set_positive(code)
        precision, recall, f1 = (one_class.compute_scores(METRICS[name]) for name in ("precision", "recall", "f1"))
        for system, matrix in matrices.items():
            counts = int(sum(matrix[code])), int(sum(row[code] for row in matrix))
            rows[system].append(ClassScores(label, precision[system], recall[system], f1[system], *counts))
    return {name: ClassTable(list(prepared.labels.labels), matrices[name], rows[name]) for name in matrices}


def count_confusions(items: AnsweredItems) -> list[list[int]]:
    """Count gold against predicted labels."""
    counted, n = items.present & (items.predicted >= 0), items.n_labels
    cells = np.bincount(items.gold[counted] * n + items.predicted[counted], minlength=n * n)
    return [[int(count) for count in row] for row in cells.reshape(n, n)]
