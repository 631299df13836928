"""The forms of answers that metrics can ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.items import FORMS, AnswerForm, Task
from assay.evaluation.predictions.grades import parse_number
from assay.evaluation.predictions.types import Answers


@FORMS.add("labels")
@dataclass(frozen=True)
class Labels(AnswerForm):
    """Gold and predicted labels as numbers from 0; a predicted −1 is a missing answer."""

    missing: ClassVar[str] = "no predicted labels"
    gold: Array
    predicted: Array
    n_labels: int

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Number the labels of the task."""
        if answers.predicted is None or not task.has_labels(answers):
            return None
        codes = [task.codes.get(label, -1) for label in answers.predicted.tolist()]
        return cls(task.gold_codes, np.array(codes, dtype=np.int64), len(task.labels.labels))


@FORMS.add("positive label")
@dataclass(frozen=True)
class PositiveLabel(AnswerForm):
    """The number of the positive label."""

    missing: ClassVar[str] = "no label is known to be positive"
    code: int

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Take the positive label of the task."""
        positive = task.labels.positive
        return cls(task.codes[positive]) if positive is not None and task.has_labels(answers) else None


@FORMS.add("probabilities")
@dataclass(frozen=True)
class Probabilities(AnswerForm):
    """Gold labels as numbers, and the probability of each label: those of gold, then the others."""

    missing: ClassVar[str] = "no probabilities (columns prob:<label>)"
    gold: Array
    shares: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Put the probabilities in the order of the labels; a label without any has probability 0."""
        if answers.probabilities is None or not task.has_labels(answers):
            return None
        shares, known = dict(answers.probabilities), task.labels.gold_labels
        names = [*known, *(label for label in shares if label not in known)]
        nothing = np.zeros(len(task.predictions))
        return cls(task.gold_codes, np.stack([shares.get(label, nothing) for label in names], axis=1))

    def find_usable(self) -> Array:
        """Return which items have a probability for every label."""
        return np.asarray(np.isfinite(self.shares).all(axis=1))


@FORMS.add("numbers")
@dataclass(frozen=True)
class Numbers(AnswerForm):
    """Gold and predicted grades."""

    missing: ClassVar[str] = "labels or predictions are not numbers"
    gold: Array
    predicted: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Read labels as numbers, each distinct one once; nothing if the labels of gold are words."""
        if answers.predicted is None or not task.has_labels(answers) or task.gold_numbers is None:
            return None
        labels = answers.predicted.tolist()
        numbers = {label: parse_number(label) for label in set(labels)}
        return cls(task.gold_numbers, np.array([numbers[label] for label in labels]))

    def find_usable(self) -> Array:
        """Return which items have two numbers."""
        return np.asarray(np.isfinite(self.predicted) & np.isfinite(self.gold))

    def is_empty(self, present: Array) -> bool:
        """Return whether no item that counts has two numbers."""
        return not (self.find_usable() & present).any()


@FORMS.add("item scores")
@dataclass(frozen=True)
class ItemScores(AnswerForm):
    """How well each item was done, 0 if there is no answer; for tasks without labels."""

    missing: ClassVar[str] = "no item scores"
    values: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Take the outcomes of a system that predicts no labels."""
        if task.has_labels(answers) or answers.outcomes is None:
            return None
        return cls(np.where(answers.answered, answers.outcomes, 0.0))


@FORMS.add("ranking scores")
@dataclass(frozen=True)
class RankingScores(AnswerForm):
    """Scores that order the items of a group, best first; nan comes last."""

    missing: ClassVar[str] = "no ranking scores (a column score, or a second file of item scores)"
    values: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Take the ranking scores of a system."""
        del task
        return None if answers.ranking_scores is None else cls(answers.ranking_scores)


@FORMS.add("groups")
@dataclass(frozen=True)
class Groups(AnswerForm):
    """The group of each item, as a number; groups are ranked, resampled and swapped whole."""

    missing: ClassVar[str] = "no column group"
    codes: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Take the groups of the task."""
        del answers
        return None if task.group_codes is None else cls(task.group_codes)


@FORMS.add("relevance")
@dataclass(frozen=True)
class Relevance(AnswerForm):
    """Whether each item of a group is relevant: its gold label is the positive one."""

    missing: ClassVar[str] = PositiveLabel.missing
    relevant: Array

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Compare the gold labels with the positive one."""
        positive = PositiveLabel.build(task, answers)
        return None if positive is None else cls(np.asarray(task.gold_codes == positive.code))
