"""One system's answers as the arrays that metrics read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.evaluation.predictions.grades import parse_number
from assay.evaluation.predictions.labels import LabelScheme
from assay.evaluation.predictions.types import Answers, Predictions

FORMS: Registry[type[AnswerForm]] = Registry("form of answers")
Form = TypeVar("Form", bound="AnswerForm")


@dataclass(frozen=True)
class Task:
    """What all systems share: the items with their gold labels and groups, each encoded once."""

    predictions: Predictions
    labels: LabelScheme

    @cached_property
    def codes(self) -> dict[str, int]:
        """The number of each label."""
        return {label: number for number, label in enumerate(self.labels.labels)}

    @cached_property
    def gold_codes(self) -> Array:
        """The label of each item, as a number."""
        assert self.predictions.gold is not None
        return np.array([self.codes[label] for label in self.predictions.gold.tolist()], dtype=np.int64)

    @cached_property
    def gold_numbers(self) -> Array | None:
        """The grade of each item; None if a label of gold is no number."""
        numbers = {label: parse_number(label) for label in self.labels.gold_labels}
        if self.predictions.gold is None or not np.isfinite(list(numbers.values())).all():
            return None
        return np.array([numbers[label] for label in self.predictions.gold.tolist()])

    @cached_property
    def group_codes(self) -> Array | None:
        """The group of each item, as a number."""
        if self.predictions.groups is None:
            return None
        names = ["" if group is None else group for group in self.predictions.groups.tolist()]
        return np.unique(names, return_inverse=True)[1]

    def has_labels(self, answers: Answers) -> bool:
        """Return whether a system predicts labels, and gold has them."""
        return answers.predicted is not None and bool(self.labels.labels)


class AnswerForm(ABC):
    """One form that answers take, such as labels, probabilities or texts: a frozen dataclass of arrays.

    A new form is a subclass registered by `@FORMS.add("name")`. `missing` says why a metric that needs it cannot be
    computed. Arrays have one entry per item; other fields are the same for all items.
    """

    missing: ClassVar[str]

    @classmethod
    @abstractmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Return one system's answers in this form, or None if it has none."""

    def find_usable(self) -> Array | None:
        """Return which items have a usable answer; None if all have."""
        return None

    def is_empty(self, present: Array) -> bool:  # noqa: ARG002, forms that can be empty look at the items
        """Return whether, of the items that count, not one can be used, so that `missing` is the reason."""
        return False

    def take(self, rows: Array) -> Self:
        """Keep some items."""
        values: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(cast("Any", self))}
        return type(self)(
            **{name: value[rows] if isinstance(value, np.ndarray) else value for name, value in values.items()}
        )


@dataclass(frozen=True)
class ScoredItems:
    """One system's answers next to the gold, in every form it has; `present` marks the items that count.

    `items[Labels]` is the form that a metric names in its `needs`.
    """

    present: Array
    forms: Mapping[type[AnswerForm], AnswerForm]

    @classmethod
    def of(cls, *forms: AnswerForm, present: Array) -> ScoredItems:
        """Collect some forms of answers."""
        return cls(present, {type(form): form for form in forms})

    def __getitem__(self, form: type[Form]) -> Form:
        return cast("Form", self.forms[form])

    def __contains__(self, form: object) -> bool:
        return form in self.forms

    def __len__(self) -> int:
        return len(self.present)

    def substitute(self, *forms: AnswerForm, present: Array | None = None) -> ScoredItems:
        """Replace some forms, or add them."""
        changed = {**self.forms, **{type(form): form for form in forms}}
        return replace(self, forms=changed, present=self.present if present is None else present)

    def take(self, rows: Array) -> ScoredItems:
        """Keep some items."""
        return ScoredItems(self.present[rows], {kind: form.take(rows) for kind, form in self.forms.items()})

    def find_lack(self, needs: Iterable[type[AnswerForm]]) -> str | None:
        """Return why a metric with these needs cannot be computed, or None if it can."""
        for need in needs:
            if need not in self.forms or self.forms[need].is_empty(self.present):
                return need.missing
        return None

    def restrict(self, needs: Iterable[type[AnswerForm]]) -> ScoredItems:
        """Count only the items with a usable answer in each of these forms."""
        masks = [mask for need in needs if (mask := self.forms[need].find_usable()) is not None]
        return replace(self, present=np.logical_and.reduce([self.present, *masks])) if masks else self


def build_items(task: Task, answers: Answers, missing_predictions: str = "skip") -> ScoredItems:
    """Return one system's items; unanswered ones do not count (`skip`) or count as wrong (`wrong`)."""
    present = answers.answered
    if missing_predictions == "wrong":
        present = present | answers.find_missing()
    built = {form: form.build(task, answers) for form in FORMS.values()}
    return ScoredItems(present, {kind: form for kind, form in built.items() if form is not None})
