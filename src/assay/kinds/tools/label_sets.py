"""Quick models of multilabel tasks: the most frequent label, and linear models of the words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers, Shortcut
from assay.kinds.multilabel import join_labels
from assay.kinds.quick_models import QuickModel
from assay.kinds.tools.learning import (
    answer_with_models,
    count_frequent_words,
    fit_linear,
    plan_learning,
    scale_columns,
    weigh_words,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assay.data import Dataset


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows."""
    known = data.fields["labels"].is_not_null().to_numpy()
    plan = plan_learning(data, rows, known, random_state)
    table = LabelTable(data)
    if plan is not None and table.names:
        frequent = QuickModel("most-frequent-label", "constant", "nothing", table.repeat_label)
        yield from answer_with_models([frequent, *build_models(data)[:-1]], plan, rows, len(data))


def build_models(data: Dataset) -> list[QuickModel]:
    """Return a ridge regression per label, regressions on length and frequent words alone, and the usual labels.

    The usual labels are chosen by the same rule without seeing the text.
    """
    table = LabelTable(data)

    def make(name: str, shortcut: Shortcut, sees: str, part: str) -> QuickModel:
        return QuickModel(name, shortcut, sees, lambda train, test: table.predict(getattr(table, part), train, test))

    return [
        make("linear-words", "model", "the text", "words"),
        make("length", "length", "the length", "lengths"),
        make("frequent-words", "frequent words", "the 100 most frequent words", "frequent"),
        make("usual-labels", "constant", "nothing", "constant"),
    ]


class LabelTable:
    """The labels as a table of 0 and 1, and what linear models see of the texts."""

    def __init__(self, data: Dataset) -> None:
        self.sets: list[list[str] | None] = data.fields["labels"].to_list()
        self.texts: list[str] = data.texts.fill_null("").to_list()
        self.names = sorted({label for labels in self.sets for label in labels or ()})
        codes = {name: code for code, name in enumerate(self.names)}
        self.marks = np.zeros((len(data), len(self.names)))
        for row, labels in enumerate(self.sets):
            self.marks[row, [codes[label] for label in labels or ()]] = 1

    @cached_property
    def words(self) -> csr_matrix:
        """Words and word pairs, and a constant."""
        return self._add_constant(weigh_words(self.texts))

    @cached_property
    def constant(self) -> csr_matrix:
        """A constant."""
        return self._add_constant(np.zeros((len(self.texts), 1)))

    @cached_property
    def lengths(self) -> csr_matrix:
        """The logarithm of the number of words, and a constant."""
        return self._add_constant(scale_columns(np.log1p([[len(text.split())] for text in self.texts])))

    @cached_property
    def frequent(self) -> csr_matrix:
        """The shares of the most frequent words, and a constant."""
        return self._add_constant(count_frequent_words(self.texts))

    def _add_constant(self, features: object) -> csr_matrix:
        from scipy import sparse

        return sparse.hstack([sparse.csr_matrix(features), np.ones((len(self.texts), 1))]).tocsr()

    def predict(self, features: csr_matrix, train: Array, test: Array) -> list[str]:
        """Learn every label from some rows, and return the labels of others: the likeliest, and all above a threshold.

        The threshold is the best one for micro-F1 in a cross-validation with two folds of the training rows, so that
        the model that sees nothing gives the best constant answer.
        """
        if not self.names:
            return [join_labels([])] * len(test)
        known = train[[self.sets[row] is not None for row in train.tolist()]]
        halves = known[::2], known[1::2]
        tried = [
            features[held] @ fit_linear(features[fitted], self.marks[fitted]) for fitted, held in permutations(halves)
        ]
        threshold = choose_threshold(np.vstack(tried), self.marks[np.concatenate(halves[::-1])])
        scores = features[test] @ fit_linear(features[known], self.marks[known])
        chosen = (scores > threshold) | (scores == scores.max(axis=1, keepdims=True))
        return [join_labels([self.names[code] for code in np.flatnonzero(row)]) for row in chosen]

    def repeat_label(self, train: Array, test: Array) -> list[str]:
        """Answer with the most frequent label of training."""
        if not self.names:
            return [""] * len(test)
        return [self.names[int(self.marks[train].sum(axis=0).argmax())]] * len(test)


def choose_threshold(scores: Array, marks: Array) -> float:
    """Return the threshold with the best micro-F1; the likeliest label of each row is chosen whatever its score.

    >>> choose_threshold(np.array([[0.9, 0.4, 0.1], [0.2, 0.8, 0.3]]), np.array([[1, 1, 0], [0, 1, 0]]))
    0.35
    """
    likeliest = scores == scores.max(axis=1, keepdims=True)
    others, is_right = scores[~likeliest], marks[~likeliest]
    order = np.argsort(-others, kind="stable")
    others = others[order]
    right = marks[likeliest].sum() + np.concatenate([[0], np.cumsum(is_right[order])])
    chosen = likeliest.sum() + np.arange(len(others) + 1)
    f1 = 2 * right / (chosen + marks.sum())
    is_cut = np.concatenate([[True], others[1:] < others[:-1], [True]]) if len(others) else np.array([True])
    n_chosen = int(np.flatnonzero(is_cut)[np.argmax(f1[is_cut])])
    above = others[n_chosen - 1] if n_chosen else np.inf
    below = others[n_chosen] if n_chosen < len(others) else -np.inf
    return float((above + below) / 2) if np.isfinite(above + below) else float(below if n_chosen == 0 else -np.inf)
