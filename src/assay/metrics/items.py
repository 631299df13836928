"""The answers of one system as the arrays that metrics read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from assay.base.arrays import Array
    from assay.data import Dataset

Need = Literal[
    "labels", "positive label", "probabilities", "numbers", "item scores", "ranking scores", "groups", "answers"
]
REASONS: Mapping[Need, str] = {
    "labels": "no predicted labels",
    "positive label": "no label is known to be positive",
    "probabilities": "no probabilities (columns prob:<label>)",
    "numbers": "labels or predictions are not numbers",
    "item scores": "no item scores",
    "ranking scores": "no ranking scores (a column score, or a second file of item scores)",
    "groups": "no column group",
    "answers": "the items themselves are needed, which come with the data",
}
"""Why a metric cannot be computed for a system that lacks this."""

_FIELDS: Mapping[Need, tuple[str, ...]] = {
    "labels": ("gold", "predicted"),
    "positive label": ("gold", "positive"),
    "probabilities": ("gold", "probabilities"),
    "numbers": ("gold_numbers", "predicted_numbers"),
    "item scores": ("scores",),
    "ranking scores": ("ranking_scores",),
    "groups": ("groups",),
    "answers": ("data", "answers"),
}
_ARRAYS = (
    *("present", "gold", "predicted", "probabilities", "gold_numbers", "predicted_numbers"),
    *("scores", "ranking_scores", "groups"),
)
_NOTHING: Any = None


@dataclass(frozen=True, eq=False)
class AnsweredItems:
    """The items with the answers of one system, in every form it has; a field is None if the system lacks it.

    A metric reads only the fields that its `needs` promise.
    """

    present: Array
    """Which items count."""
    gold: Array = _NOTHING
    """The number of the gold label, from 0."""
    predicted: Array = _NOTHING
    """The number of the predicted label; −1 is a missing answer."""
    n_labels: int = 0
    positive: int = _NOTHING
    """The number of the positive label."""
    probabilities: Array = _NOTHING
    """Items × labels: first the labels of gold, then others."""
    gold_numbers: Array = _NOTHING
    """The gold label as a number, if all are numbers."""
    predicted_numbers: Array = _NOTHING
    scores: Array = _NOTHING
    """How well each item was done, for tasks without labels; 0 if there is no answer."""
    ranking_scores: Array = _NOTHING
    """Scores that order the items of a group, highest first; nan comes last."""
    groups: Array = _NOTHING
    """The number of each item's group; groups are ranked, resampled and swapped whole."""
    data: Dataset = field(default=_NOTHING, repr=False)
    answers: Sequence[str | None] = field(default=_NOTHING, repr=False)
    """The answers to all items of `data`, of which these are the `rows`; use `written`."""
    rows: Array = field(default=_NOTHING, repr=False)
    _tables: dict[str, Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.present)

    @property
    def written(self) -> tuple[Dataset, list[str]]:
        """The items and the answers as text; a missing answer is the empty text, which is wrong."""
        answers = [answer or "" for answer in self.answers]
        if self._are_all_rows():
            return self.data, answers
        return self.data.take(self.rows), [answers[row] for row in self.rows.tolist()]

    def has(self, need: Need) -> bool:
        """Return whether the system has what a metric needs."""
        return all(getattr(self, name) is not None for name in _FIELDS[need])

    def take(self, rows: Array) -> AnsweredItems:
        """Keep some items."""
        import numpy as np

        values = {name: getattr(self, name) for name in _ARRAYS}
        taken = {name: value[rows] for name, value in values.items() if value is not None}
        places = np.arange(len(self)) if self._are_all_rows() else self.rows
        return replace(self, **taken, rows=places[rows])

    def find_lack(self, needs: Iterable[Need]) -> str | None:
        """Return why a metric with these needs cannot be computed, or None if it can."""
        for need in needs:
            if not self.has(need) or (need == "numbers" and not (self._find_numbers() & self.present).any()):
                return REASONS[need]
        return None

    def restrict(self, needs: Iterable[Need]) -> AnsweredItems:
        """Count only items that have a number, or the probability of every label, if a metric needs these."""
        import numpy as np

        present = self.present
        for need in needs:
            if need == "numbers":
                present = present & self._find_numbers()
            elif need == "probabilities":
                present = present & np.isfinite(self.probabilities).all(axis=1)
        return self if present is self.present else replace(self, present=present)

    def collect_once(self, name: str, collect: Callable[[AnsweredItems], Array]) -> Array:
        """Return statistics that follow from data and answers alone, computed once for all items of the data."""
        import numpy as np

        if name not in self._tables:
            everything = np.ones(len(self.answers), dtype=bool)
            self._tables[name] = np.asarray(collect(AnsweredItems(everything, data=self.data, answers=self.answers)))
        return self._tables[name] if self._are_all_rows() else self._tables[name][self.rows]

    def _are_all_rows(self) -> bool:
        rows: Any = self.rows
        return rows is None

    def _find_numbers(self) -> Array:
        import numpy as np

        return np.asarray(np.isfinite(self.predicted_numbers) & np.isfinite(self.gold_numbers))
