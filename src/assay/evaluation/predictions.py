"""What systems answered, item by item, beside the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, unknown_name

if TYPE_CHECKING:
    from assay.data import Dataset


@dataclass(frozen=True)
class Answers:
    """What one system said about every item; None or nan where it said nothing."""

    predicted: Array | None = None
    scores: Array | None = None  # rank the items of a group
    outcomes: Array | None = None  # how well each item was done, where there is no class label
    probabilities: Mapping[str, Array] | None = None

    @property
    def answered(self) -> Array:
        """Which items have an answer."""
        if self.predicted is not None:
            given: Array = (self.predicted != np.array(None)).astype(bool)
            return given
        assert self.outcomes is not None
        found: Array = np.isfinite(self.outcomes)
        return found

    def take(self, rows: Array) -> Answers:
        """Keep some items."""
        chosen = {name: None if value is None else value[rows] for name, value in self._arrays().items()}
        shares = self.probabilities
        return Answers(**chosen, probabilities=shares and {label: share[rows] for label, share in shares.items()})

    def _arrays(self) -> dict[str, Array | None]:
        return {"predicted": self.predicted, "scores": self.scores, "outcomes": self.outcomes}


@dataclass(frozen=True)
class Predictions:
    """The answers of several systems on the same items, in the order of the data.

    `gold` is None where the answers are item scores. `notes` says what was missing, unknown or left
    out; `data` holds the same items where a dataset was given.
    """

    ids: Array
    gold: Array | None
    systems: Mapping[str, Answers]
    groups: Array | None = None
    folds: Mapping[str, Array] = field(default_factory=dict)  # fold of each item, by system
    sources: Mapping[str, int] = field(default_factory=dict)  # number of the file, by system
    bases: Mapping[str, str] = field(default_factory=dict)  # the system's own name, where files share one
    repeats: Mapping[str, str] = field(default_factory=dict)  # the repeat of a split that a run belongs to
    notes: tuple[str, ...] = ()
    data: Dataset | None = None
    whole: Dataset | None = None  # the data with the parts nobody predicts

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def names(self) -> list[str]:
        """The systems in file order."""
        return list(self.systems)

    def missing(self) -> dict[str, int]:
        """Count the items each system did not answer."""
        return {name: int((~answers.answered).sum()) for name, answers in self.systems.items()}

    def outcomes(self) -> Array:
        """Return an (n_systems, n_items) array: 1 right, 0 wrong, or the item's score; nan where unanswered.

        >>> Predictions.from_arrays(["a", "b"], {"x": ["a", "a"]}).outcomes().tolist()
        [[1.0, 0.0]]
        """
        return np.stack([self._outcome(answers) for answers in self.systems.values()])

    def take(self, rows: Array) -> Predictions:
        """Keep some items, by row numbers or a mask."""
        numbers = np.flatnonzero(rows) if rows.dtype == bool else rows
        return replace(
            self,
            ids=self.ids[numbers],
            gold=None if self.gold is None else self.gold[numbers],
            systems={name: answers.take(numbers) for name, answers in self.systems.items()},
            groups=None if self.groups is None else self.groups[numbers],
            folds={name: fold[numbers] for name, fold in self.folds.items()},
            data=None if self.data is None else self.data.take(numbers),
        )

    def only(self, names: Sequence[str]) -> Predictions:
        """Keep some systems, in the order given."""
        for name in names:
            if name not in self.systems:
                raise unknown_name("system", name, self.systems)
        return replace(self, systems={name: self.systems[name] for name in names})

    def _outcome(self, answers: Answers) -> Array:
        if answers.outcomes is not None:
            return answers.outcomes
        assert answers.predicted is not None
        right = np.array(answers.predicted == self.gold, dtype=float)
        right[~answers.answered] = np.nan
        return right

    @classmethod
    def from_arrays(
        cls,
        gold: Any,
        predicted: Any,
        *,
        ids: Any = None,
        groups: Any = None,
        scores: Mapping[str, Any] | None = None,
        probabilities: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Predictions:
        """Make predictions of arrays, as scikit-learn has them: one for gold, one for each system.

        Without gold, the arrays of the systems are item scores (1 = right).
        """
        systems = predicted if isinstance(predicted, Mapping) else {"system": predicted}
        truth = None if gold is None else as_labels(gold)
        n_items = len(truth) if truth is not None else max((len(given) for given in systems.values()), default=0)
        named = (scores or {}), (probabilities or {})
        answers = {str(name): _answers(name, given, truth, n_items, *named) for name, given in systems.items()}
        if not answers:
            raise UsageError("No predictions: give an array for at least one system.")
        names = np.array([str(number) for number in range(n_items)] if ids is None else list(map(str, ids)), object)
        return cls(names, truth, answers, None if groups is None else as_labels(groups))


def as_labels(values: Any) -> Array:
    """Turn labels of any kind into text; None, nan and empty text become None.

    >>> as_labels([1, "b", None, float("nan")]).tolist()
    ['1', 'b', None, None]
    """
    given = values.tolist() if hasattr(values, "tolist") else list(values)
    named = [None if value is None or value != value or value == "" else str(value) for value in given]
    found = np.empty(len(named), dtype=object)
    found[:] = named
    return found


def _answers(name: str, given: Any, truth: Array | None, n_items: int, scores: Any, probabilities: Any) -> Answers:
    if len(given) != n_items:
        raise AssayError(f"System '{name}' has {len(given)} predictions for {n_items} items.")
    ranks = np.asarray(scores[name], dtype=float) if name in scores else None
    shares = {str(label): np.asarray(share, dtype=float) for label, share in probabilities.get(name, {}).items()}
    if truth is None:
        return Answers(outcomes=np.asarray(given, dtype=float), scores=ranks)
    return Answers(as_labels(given), ranks, probabilities=shares or None)
