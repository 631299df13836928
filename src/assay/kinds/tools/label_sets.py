"""Baselines of multilabel tasks: the most frequent label, and a linear model of the words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.tools.learning import LearningPlan, fit_linear, plan_learning, weigh_words

if TYPE_CHECKING:
    from assay.data import Dataset

THRESHOLD = 0.3  # of a ridge regression on 0 and 1; the label with the highest value is always taken


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows."""
    from assay.kinds.multilabel import join_labels

    sets = data.fields["labels"].to_list()
    known = np.array([labels is not None for labels in sets])
    plan = plan_learning(data, rows, known, random_state)
    names = sorted({label for labels in sets for label in labels or ()})
    if plan is None or not names:
        return
    codes = {name: code for code, name in enumerate(names)}
    table = np.zeros((len(data), len(names)))
    for row, labels in enumerate(sets):
        table[row, [codes[label] for label in labels or ()]] = 1
    frequent = plan.predict(len(data), lambda train, test: [names[int(table[train].sum(axis=0).argmax())]] * len(test))
    yield BaselineAnswers("most-frequent-label", "constant", [frequent[row] for row in rows.tolist()], plan.based_on)
    scores = _score_labels(data, table, plan)
    chosen = (scores > THRESHOLD) | (scores == scores.max(axis=1, keepdims=True))
    answers = [join_labels([names[code] for code in np.flatnonzero(chosen[row])]) for row in rows.tolist()]
    yield BaselineAnswers("linear-words", "model", answers, plan.based_on)


def _score_labels(data: Dataset, table: Array, plan: LearningPlan) -> Array:
    """Return the values of a ridge regression of every label on the words, out of sample."""
    from scipy import sparse

    words = weigh_words(data.texts.fill_null("").to_list())
    features = sparse.hstack([words, np.ones((len(data), 1))]).tocsr()
    scores = np.zeros(table.shape)
    for train, test in plan.folds:
        scores[test] = features[test] @ fit_linear(features[train], table[train])
    return scores
