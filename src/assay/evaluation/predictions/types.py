"""Answers of systems, item by item, next to the gold labels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError, UsageError, unknown_name
from assay.data import Dataset, LeftOut
from assay.data.columns.shared_strings import share_strings
from assay.data.columns.spellings import adopt_spellings, unify_spellings
from assay.data.row_order import sort_ids
from assay.kinds import kind_of
from assay.views.results import convert_frame, frame_to_html
from assay.wording.sentences import count_noun

EMPTY = ""  # the answer of a system that was run and gave none


@dataclass(frozen=True)
class Answers:
    """The answers of one system, item by item; None or nan if it was not run on an item.

    An empty answer is an answer: the empty text, or what the kind of task reads it as; `empty` marks these items, and
    `filled` those without an answer that count as wrong.
    `ranking_scores` order the items of a group; `outcomes` are item scores, for tasks without class labels. `counted`
    marks the rows that concern the system, if others have more repeats. `human_scores` are those that people gave
    to the answers, by the name of their column.
    """

    predicted: Array | None = None
    ranking_scores: Array | None = None
    outcomes: Array | None = None
    probabilities: Mapping[str, Array] | None = None
    counted: Array | None = None
    human_scores: Mapping[str, Array] | None = None
    empty: Array | None = None
    filled: Array | None = None

    @property
    def answered(self) -> Array:
        """Which items have an answer, be it empty."""
        if self.predicted is not None:
            return np.asarray(self.predicted != np.array(None), dtype=bool)
        assert self.outcomes is not None
        return np.asarray(np.isfinite(self.outcomes))

    def take(self, rows: Array) -> Answers:
        """Keep some items."""
        shares, human = self.probabilities, self.human_scores
        return Answers(
            _take(self.predicted, rows),
            _take(self.ranking_scores, rows),
            _take(self.outcomes, rows),
            shares and {label: share[rows] for label, share in shares.items()},
            _take(self.counted, rows),
            human and {name: scores[rows] for name, scores in human.items()},
            _take(self.empty, rows),
            _take(self.filled, rows),
        )

    def find_missing(self) -> Array:
        """Return which items have no answer and should have one."""
        return ~self.answered if self.counted is None else self.counted & ~self.answered

    def drop_empty(self) -> Answers:
        """Return the answers with empty ones as missing."""
        if self.empty is None or self.predicted is None:
            return self
        outcomes = None if self.outcomes is None else np.where(self.empty, np.nan, self.outcomes)
        return replace(self, predicted=set_cells(self.predicted, self.empty, None), outcomes=outcomes, empty=None)

    def fill_missing(self) -> Answers:
        """Return the answers with missing ones as empty, which are wrong."""
        missing = self.find_missing()
        if not missing.any():
            return self
        if self.predicted is None:
            return replace(self, outcomes=np.where(missing, 0.0, self.outcomes), filled=missing)  # type: ignore[arg-type]
        outcomes = None if self.outcomes is None else np.where(missing, 0.0, self.outcomes)
        return replace(self, predicted=set_cells(self.predicted, missing, EMPTY), outcomes=outcomes, filled=missing)

    def count_missing(self) -> int:
        """Count the items without an answer, also if they count as wrong."""
        return int(self.find_missing().sum()) + (0 if self.filled is None else int(self.filled.sum()))


@dataclass(frozen=True)
class Run:
    """Where the answers of a system come from.

    `system` is its name in the file, `name` the name it is shown by (without the repeat), `source` the number of the
    file, `repeat` the repeat of a split it belongs to, and `folds` the fold of each item.
    """

    system: str
    name: str
    source: int = 0
    repeat: str | None = None
    folds: Array | None = None


@dataclass(frozen=True, repr=False)
class Predictions:
    """The answers of several systems on the same items, in the order of the data.

    `gold` is None if the answers are item scores. `data` has the same items if there is a dataset, `whole`
    also the parts that no system predicts. `notes` says what was missing, unknown or left out. With `n_repeats` there
    is one row per item and repeat (see `stack_repeats`).

    >>> Predictions.from_arrays(["a", "b", "b"], {"x": ["a", "b", None]})
    Predictions: 1 system on 3 items with gold labels, 1 answer missing
    """

    input_kind: ClassVar[str] = "predictions"
    ids: Array
    gold: Array | None
    systems: Mapping[str, Answers]
    groups: Array | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    data: Dataset | None = None
    whole: Dataset | None = None
    n_repeats: int = 1
    left_out: tuple[LeftOut, ...] = ()  # what the files have and the predictions do not
    is_sorted: bool = field(default=False, compare=False)  # the items are in the order of `sort_rows`

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        kind = "item scores" if self.gold is None else "gold labels"
        missing = sum(self.count_missing().values())
        counts = f"{count_noun(len(self.systems), 'system')} on {count_noun(len(self), 'item')} with {kind}"
        return f"Predictions: {counts}" + (f", {count_noun(missing, 'answer')} missing" if missing else "")

    @property
    def names(self) -> list[str]:
        """The systems in file order."""
        return list(self.systems)

    def find_run(self, name: str) -> Run:
        """Return where the answers of a system come from."""
        return self.runs.get(name) or Run(name, name)

    def count_missing(self) -> dict[str, int]:
        """Count the items that each system was not run on."""
        return {name: answers.count_missing() for name, answers in self.systems.items()}

    def count_empty(self) -> dict[str, int]:
        """Count the empty answers of each system."""
        systems = self.systems.items()
        return {name: 0 if answers.empty is None else int(answers.empty.sum()) for name, answers in systems}

    def outcomes(self) -> Array:
        """Return an (n_systems, n_items) array: 1 right, 0 wrong, or the item's score; nan if a system was not run.

        >>> Predictions.from_arrays(["a", "b"], {"x": ["a", "a"]}).outcomes().tolist()
        [[1.0, 0.0]]
        """
        return np.stack([self._score_answers(answers) for answers in self.systems.values()])

    def take(self, rows: Array) -> Predictions:
        """Keep some items, by row numbers or a mask."""
        numbers = np.flatnonzero(rows) if rows.dtype == bool else rows
        return replace(
            self,
            ids=self.ids[numbers],
            gold=_take(self.gold, numbers),
            systems={name: answers.take(numbers) for name, answers in self.systems.items()},
            groups=_take(self.groups, numbers),
            runs={name: replace(run, folds=_take(run.folds, numbers)) for name, run in self.runs.items()},
            data=None if self.data is None else self.data.take(numbers),
            is_sorted=False,
        )

    def sort_rows(self) -> Predictions:
        """Return the items in the order in which everything is computed, so that shuffled rows give the same numbers.

        Rankings keep the order of the file, which decides ties.
        """
        if self.is_sorted:
            return self
        if self.groups is not None and any(each.ranking_scores is not None for each in self.systems.values()):
            return self
        order = sort_ids(self.ids.tolist()) if self.data is None else self.data.order
        whole = None if self.whole is None else self.whole.sort_rows()
        return replace(self.take(order), whole=whole, is_sorted=True)

    def select(self, names: Iterable[str]) -> Predictions:
        """Keep some systems, in the order given."""
        chosen = list(names)
        for name in chosen:
            if name not in self.systems:
                raise unknown_name("system", name, self.systems)
        return replace(self, systems={name: self.systems[name] for name in chosen})

    def rename_systems(self, rename: Callable[[str], str]) -> Predictions:
        """Give the systems other names, which must differ."""
        systems = {rename(name): answers for name, answers in self.systems.items()}
        if len(systems) < len(self.systems):
            raise UsageError("Two systems would have the same name.")
        runs = {
            rename(name): replace(run, system=rename(run.system), name=rename(run.name))
            for name, run in self.runs.items()
        }
        return replace(self, systems=systems, runs=runs)

    def to_frame(self, kind: str = "polars") -> Any:
        """Return one row per item: id, gold, group and one column per system, as a frame of polars or pandas."""
        return convert_frame(self._frame(), kind)

    def _frame(self) -> pl.DataFrame:
        columns: dict[str, Any] = {"id": self.ids.tolist()}
        columns |= {} if self.gold is None else {"gold": self.gold.tolist()}
        columns |= {} if self.groups is None else {"group": self.groups.tolist()}
        answers = self.systems.items()
        columns |= {name: (a.outcomes if a.predicted is None else a.predicted).tolist() for name, a in answers}  # type: ignore[union-attr]
        return pl.DataFrame(columns)

    def _repr_html_(self) -> str:
        return frame_to_html(self._frame().head(5))

    def _score_answers(self, answers: Answers) -> Array:
        if answers.outcomes is not None:
            return answers.outcomes
        assert answers.predicted is not None
        own = None if self.data is None else _score_by_kind(self.data, answers)
        if own is not None:
            return own
        correct = np.array(answers.predicted == self.gold, dtype=float)
        correct[~answers.answered] = np.nan
        return correct

    @classmethod
    def from_arrays(
        cls,
        gold: Values | None,
        predicted: Values | Mapping[str, Values],
        *,
        ids: Values | None = None,
        groups: Values | None = None,
        ranking_scores: Mapping[str, Values] | None = None,
        probabilities: Mapping[str, Mapping[str, Values]] | None = None,
    ) -> Predictions:
        """Build predictions from arrays as scikit-learn takes them: one for gold, one per system.

        Without gold, the arrays of the systems are item scores (1 = right).
        """
        systems = predicted if isinstance(predicted, Mapping) else {"system": predicted}
        labels = None if gold is None else unify_labels(to_labels(gold))
        n_items = len(labels) if labels is not None else max((len(values) for values in systems.values()), default=0)
        answers = {
            str(name): _answers_from_array(
                name, values, labels, n_items, (ranking_scores or {}).get(name), probabilities or {}
            )
            for name, values in systems.items()
        }
        if not answers:
            raise UsageError("There are no predictions.", hint="Give an array for at least one system.")
        names = np.array([str(number) for number in range(n_items)] if ids is None else list(map(str, ids)), object)
        return cls(names, labels, answers, None if groups is None else to_labels(groups))


def to_labels(values: Values) -> Array:
    """Turn labels of any kind into text; None, nan and empty text become None.

    >>> to_labels([1, "b", None, float("nan")]).tolist()
    ['1', 'b', None, None]
    """
    plain: Sequence[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    labels = np.empty(len(plain), dtype=object)
    labels[:] = [None if value is None or value != value or value == "" else str(value) for value in plain]
    return labels


def to_answers(values: Any) -> Array:
    """Turn answers of any kind into text; None and nan are missing, and white space is an empty answer.

    >>> to_answers([1, " ", None, float("nan")]).tolist()
    ['1', '', None, None]
    """
    plain: Sequence[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    answers = np.empty(len(plain), dtype=object)
    answers[:] = [None if value is None or value != value else _clean_answer(str(value)) for value in plain]
    return answers


def _clean_answer(answer: str) -> str:
    return answer if answer.strip() else EMPTY


def set_cells(answers: Array, cells: Array, value: str | None) -> Array:
    """Return the answers with another value in some cells."""
    changed = answers.copy()
    changed[cells] = value
    return changed


def find_empty(answers: Array) -> Array | None:
    """Return which answers are empty; None if none is."""
    empty = np.asarray(answers == EMPTY, dtype=bool)
    return empty if empty.any() else None


def share_labels(values: pl.Series) -> Array:
    """Turn a column of text into labels as `to_labels` does, with one string for all cells of a label.

    >>> import polars as pl
    >>> share_labels(pl.Series(["b", None, "", "b"])).tolist()
    ['b', None, None, 'b']
    """
    if values.n_unique() > len(values) // 2:  # ids and texts
        return to_labels(values.to_list())
    return share_strings(values.replace("", None))


def unify_labels(labels: Array, known: Collection[str] | None = None) -> Array:
    """Write every number in one way: as among the known labels, or else in the shortest way that occurs.

    >>> unify_labels(to_labels([1.0, 0, None]), ["0", "1"]).tolist()
    ['1', '0', None]
    """
    names = {label for label in labels.tolist() if label is not None}
    changed = unify_spellings(sorted(names)) if known is None else adopt_spellings(sorted(names), known)
    if not changed:
        return labels
    unified = np.empty(len(labels), dtype=object)
    unified[:] = [changed.get(label, label) for label in labels.tolist()]
    return unified


def check_length(system: str, n_answers: int, n_items: int) -> None:
    """Refuse an array of answers that is not as long as the data."""
    if n_answers != n_items:
        raise AssayError(f"System '{system}' has {n_answers:,} predictions for {n_items:,} items.")


def _score_by_kind(data: Dataset, answers: Answers) -> Array | None:
    """Score answers by the measure of their kind, nan if there is no answer; None if the kind has none."""
    assert answers.predicted is not None
    answered = answers.answered
    items = data if answered.all() else data.take(answered)  # the same object: its references are read once
    scores = kind_of(data).scoring.score_answers(items, answers.predicted[answered].tolist())
    if scores is None:
        return None
    whole = np.full(len(answered), np.nan)
    whole[answered] = scores
    return whole


def _take(values: Array | None, rows: Array) -> Array | None:
    return None if values is None else values[rows]


def _answers_from_array(
    name: str,
    values: Values,
    gold: Array | None,
    n_items: int,
    ranks: Values | None,
    probabilities: Mapping[str, Mapping[str, Values]],
) -> Answers:
    check_length(name, len(values), n_items)
    ranking_scores = None if ranks is None else np.asarray(ranks, dtype=float)
    if gold is None:
        return Answers(outcomes=np.asarray(values, dtype=float), ranking_scores=ranking_scores)
    known = {label for label in gold.tolist() if label is not None}
    shares = {str(label): np.asarray(share, dtype=float) for label, share in probabilities.get(name, {}).items()}
    names = adopt_spellings(shares, known)
    shares = {names.get(label, label): share for label, share in shares.items()}
    answered = unify_labels(to_answers(values), known)
    return Answers(answered, ranking_scores, probabilities=shares or None, empty=find_empty(answered))
