"""Predictions as the arrays that metrics read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.predictions.grades import parse_number
from assay.evaluation.predictions.labels import LabelScheme
from assay.evaluation.predictions.types import Answers, Predictions
from assay.metrics import AnsweredItems


@dataclass(frozen=True)
class GoldArrays:
    """What all systems share: the items with their gold labels and groups, each encoded once."""

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
        """The grade of each item; None if a label of gold is no number."""
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

    def pair_answers(self, answers: Answers, missing_predictions: str = "skip") -> AnsweredItems:
        """Return the items with one system's answers; unanswered ones do not count (`skip`) or are wrong (`wrong`)."""
        present = answers.answered
        if missing_predictions == "wrong":
            present = present | answers.find_missing()
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
            yield "predicted_numbers", np.array([numbers[label] for label in predicted])
        if answers.probabilities is not None:
            shares, gold = dict(answers.probabilities), self.labels.gold_labels
            names = [*gold, *(label for label in shares if label not in gold)]
            nothing = np.zeros(len(self.predictions))  # a label without probabilities has probability 0
            yield "probabilities", np.stack([shares.get(label, nothing) for label in names], axis=1)
