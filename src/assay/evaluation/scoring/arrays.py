"""Predictions as the arrays that metrics read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.predictions.labels import LabelScheme
from assay.evaluation.predictions.types import EMPTY, Answers, Predictions
from assay.metrics import AnsweredItems


@dataclass(frozen=True)
class GoldArrays:
    """Items with their gold labels and groups, encoded once for all systems."""

    predictions: Predictions
    labels: LabelScheme

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each label."""
        return {label: number for number, label in enumerate(self.labels.labels)}

    @cached_property
    def gold(self) -> Array:
        """The label of each item, as a number."""
        assert self.predictions.gold is not None
        return np.array([self.codes[label] for label in self.predictions.gold.tolist()], dtype=np.int64)

    @cached_property
    def numbers(self) -> Array | None:
        """The grade of each item; None if a label of gold is not a number."""
        numbers = {label: parse_number(label) for label in self.labels.gold_labels}
        if self.predictions.gold is None or not np.isfinite(list(numbers.values())).all():
            return None
        return np.array([numbers[label] for label in self.predictions.gold.tolist()])

    @cached_property
    def groups(self) -> Array | None:
        """The group of each item, as a number."""
        if self.predictions.groups is None:
            return None
        names = ["" if group is None else group for group in self.predictions.groups.tolist()]
        return np.unique(names, return_inverse=True)[1]

    def pair_answers(self, answers: Answers) -> AnsweredItems:
        """Return the items with one system's answers; those it was not run on do not count."""
        present = answers.answered
        forms: dict[str, Any] = {"groups": self.groups, "ranking_scores": answers.ranking_scores}
        if answers.predicted is not None and self.predictions.data is not None:
            forms |= {"data": self.predictions.data, "answers": tuple(answers.predicted.tolist())}
        if answers.predicted is not None and self.labels.labels:
            forms |= dict(self._encode_labels(answers, answers.predicted.tolist()))
        elif answers.outcomes is not None:
            forms["scores"] = np.where(answers.answered, answers.outcomes, 0.0)
        return AnsweredItems(present, **forms)

    def _encode_labels(self, answers: Answers, predicted: list[str]) -> Iterator[tuple[str, Any]]:
        """Yield the labels as numbers from 0, as grades if they are, and the probability of each."""
        yield "gold", self.gold
        yield "predicted", np.array([self.codes.get(label, -1) for label in predicted], dtype=np.int64)
        yield "n_labels", len(self.labels.labels)
        if self.labels.positive is not None:
            yield "positive", self.codes[self.labels.positive]
        if self.numbers is not None:
            numbers = {label: parse_number(label) for label in set(predicted)}
            yield "gold_numbers", self.numbers
            yield "predicted_numbers", self._place_words(answers.answered, np.array([numbers[x] for x in predicted]))
        if answers.probabilities is not None:
            shares, gold = dict(answers.probabilities), self.labels.gold_labels
            names = [*gold, *(label for label in shares if label not in gold)]
            nothing = np.zeros(len(self.predictions))  # a label without probabilities has probability 0
            table = np.stack([shares.get(label, nothing) for label in names], axis=1)
            yield "probabilities", self._deny_gold(table, answers)

    def _place_words(self, answered: Array, predicted: Array) -> Array:
        """Return grades with the wrong end of the scale for an answer that is not a number, if others are."""
        assert self.numbers is not None
        low, high = self.numbers.min(initial=np.inf), self.numbers.max(initial=-np.inf)
        words = answered & ~np.isfinite(predicted)
        if not words.any() or words.sum() == answered.sum():
            return predicted
        return np.where(words, np.where(self.numbers - low > high - self.numbers, low, high), predicted)

    def _deny_gold(self, shares: Array, answers: Answers) -> Array:
        """Return probabilities in which an empty answer without any gives none to the gold label."""
        empty = np.asarray(answers.predicted == EMPTY, dtype=bool)
        rows = np.flatnonzero(empty & ~np.isfinite(shares).all(axis=1))
        if shares.shape[1] > 1:
            shares[rows] = 1 / (shares.shape[1] - 1)
            shares[rows, self.gold[rows]] = 0.0
        return shares


def parse_number(label: str | None) -> float:
    """Read a label as a number; nan if it is not one.

    >>> parse_number("2.50"), parse_number("b")
    (2.5, nan)
    """
    try:
        return float(label) if label is not None else math.nan
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class LabelCells:
    """One item per combination of gold and predicted label, how many there are of each, and the cell of every item.

    Items that do not count are in cell −1.
    """

    items: AnsweredItems
    counts: Array
    cells: Array


def count_cells(items: AnsweredItems) -> LabelCells:
    """Return the cells of one system's items."""
    width = items.n_labels + 1  # one column for missing answers
    keys = items.gold * width + items.predicted + 1
    counts = np.bincount(keys[items.present])
    cells = np.flatnonzero(counts)
    places = np.full(items.n_labels * width, -1)
    places[cells] = np.arange(len(cells))
    everything, gold, predicted = np.ones(len(cells), dtype=bool), cells // width, cells % width - 1
    one_each = AnsweredItems(everything, gold, predicted, items.n_labels, items.positive)
    return LabelCells(one_each, counts[cells], np.where(items.present, places[keys], -1))
