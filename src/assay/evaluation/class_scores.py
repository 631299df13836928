"""Each class on its own: precision, recall and F1 with intervals, and the confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.results import Result
from assay.evaluation.metrics import PER_CLASS, Items
from assay.evaluation.metrics.classes import of_class
from assay.evaluation.scoring import Score, Scored


@dataclass(frozen=True)
class ClassScores(Result):
    """One class: how well it is told apart, how often it is gold and how often predicted."""

    label: str
    precision: Score
    recall: Score
    f1: Score
    n_gold: int
    n_predicted: int


@dataclass(frozen=True)
class Classes(Result):
    """All classes of a system; row i, column j of the matrix counts items of label i predicted as label j.

    The labels of gold come first, then those only predicted. Answers not given are in no column.
    """

    labels: list[str]
    matrix: list[list[int]]
    scores: list[ClassScores]


def classes_of(scored: Scored) -> dict[str, Classes]:
    """Return the classes of every system; nothing for grades and item scores."""
    if scored.scale.graded or not scored.scale.labels:
        return {}
    rows: dict[str, list[ClassScores]] = {name: [] for name in scored.items}
    matrices = {name: confusion(items) for name, items in scored.items.items() if items.gold is not None}
    for code, label in enumerate(scored.scale.labels):
        found = {name: scored.scores(of_class(metric, code)) for name, metric in PER_CLASS.items()}
        for system, matrix in matrices.items():
            told = {name: scores[system] for name, scores in found.items()}
            counts = int(sum(matrix[code])), int(sum(row[code] for row in matrix))
            rows[system].append(ClassScores(label, told["precision"], told["recall"], told["f1"], *counts))
    return {name: Classes(list(scored.scale.labels), matrices[name], rows[name]) for name in matrices}


def confusion(items: Items) -> list[list[int]]:
    """Count gold against predicted labels."""
    assert items.gold is not None
    assert items.predicted is not None
    counted, n = items.present & (items.predicted >= 0), items.n_labels
    cells = np.bincount(items.gold[counted] * n + items.predicted[counted], minlength=n * n)
    found: list[list[int]] = cells.reshape(n, n).tolist()
    return found
