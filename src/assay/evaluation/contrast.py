"""Items that one system gets right and another wrong, and all systems item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, unknown_name
from assay.base.marks import NAME, OWN, TEXT
from assay.evaluation.repeats.stacking import average_known
from assay.evaluation.repeats.variance import split_repeats
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.evaluation.slices.columns import name_slices
from assay.views.blocks import Block, Sentence, make_table
from assay.views.results import Result
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    from assay.evaluation.predictions.types import Predictions

MAX_SHOWN = 15
MAX_VALUES = 60  # of a column whose slices are counted
MAX_SLICES = 20
_SIDES = {"first": 1, "second": -1}


@dataclass(frozen=True)
class ContrastItem(Result):
    """An item on which one system does better, with both answers and scores; `better` is first or second."""

    id: str = field(metadata=NAME)
    better: str = field(metadata=OWN)
    text: str | None = field(metadata=TEXT)
    gold: str | None = field(metadata=TEXT)
    first_answer: str | None = field(metadata=TEXT)
    second_answer: str | None = field(metadata=TEXT)
    first_score: float
    second_score: float


@dataclass(frozen=True)
class ContrastSlice(Result):
    """How many items of a slice each of the two systems does better on."""

    by: str = field(metadata=NAME)
    slice: str = field(metadata=NAME)
    n: int
    only_first: int
    only_second: int


@dataclass(frozen=True)
class Contrast(Result):
    """The items on which two systems differ: those that only the first gets right, and those only the second does.

    If scores are not right or wrong, or runs were repeated, the system with the greater mean score does better.
    """

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    n_items: int
    n_only_first: int
    n_only_second: int
    items: tuple[ContrastItem, ...]
    slices: tuple[ContrastSlice, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the items of both sides, and the slices they come from."""
        counts = f"{self.first} alone is right on {count_noun(self.n_only_first, 'item')}"
        counts += f", {self.second} alone on {self.n_only_second:,}, of {self.n_items:,} that both answered"
        yield Sentence(f"{counts}.")
        for name, other, side in ((self.first, self.second, "first"), (self.second, self.first, "second")):
            yield from make_table(
                f"{name} right, {other} wrong",
                [item for item in self.items if item.better == side],
                {
                    "id": lambda item: item.id,
                    "text": lambda item: item.text,
                    "gold": lambda item: item.gold,
                    self.first: lambda item: _show_answer(item.first_answer, item.first_score),
                    self.second: lambda item: _show_answer(item.second_answer, item.second_score),
                },
                shows_words=True,
                max_rows=MAX_SHOWN,
            )
        yield from make_table(
            "Slices of these items",
            self.slices,
            {
                "column": lambda row: row.by,
                "slice": lambda row: row.slice,
                "items": lambda row: row.n,
                f"only {self.first}": lambda row: row.only_first,
                f"only {self.second}": lambda row: row.only_second,
            },
        )

    def _frame(self) -> pl.DataFrame:
        """Return one row per item."""
        return pl.DataFrame([item.to_dict() for item in self.items], infer_schema_length=None)


def contrast_systems(prepared: PreparedPredictions, names: Sequence[str]) -> Contrast:
    """List the items that one of two systems gets right and the other wrong."""
    if len(names) != 2 or names[0] == names[1]:
        raise UsageError("needs two different systems.", option="contrast")
    predictions = prepared.predictions
    for name in names:
        if name not in predictions.systems:
            raise unknown_name("system", name, predictions.names)
    scores = dict(zip(predictions.names, score_items(predictions), strict=True))
    first, second = scores[names[0]], scores[names[1]]
    signs = np.where(np.isfinite(first) & np.isfinite(second), np.sign(np.nan_to_num(first - second)), 0.0)
    items = [
        _describe_item(predictions, place, side, names, float(first[place]), float(second[place]))
        for side, sign in _SIDES.items()
        for place in np.flatnonzero(signs == sign).tolist()
    ]
    n_both = int((np.isfinite(first) & np.isfinite(second)).sum())
    counts = [int((signs == sign).sum()) for sign in _SIDES.values()]
    return Contrast(
        names[0], names[1], n_both, counts[0], counts[1], tuple(items), tuple(_count_slices(prepared, signs))
    )


def score_items(predictions: Predictions) -> Array:
    """Return systems × items: the score of each item, a mean over repeats; nan if it was not run."""
    return np.stack([average_known(table) for table in split_repeats(predictions)])


def tabulate_items(predictions: Predictions) -> pl.DataFrame:
    """Return one row per item, with its text and gold answer, and one column of scores per system."""
    n_items = len(predictions) // predictions.n_repeats
    data, gold = predictions.data, predictions.gold
    columns: dict[str, object] = {"id": [str(key) for key in predictions.ids[:n_items].tolist()]}
    if data is not None:
        columns["text"] = data.texts.to_list()[:n_items]
    if gold is not None:
        columns["gold"] = [None if answer is None else str(answer) for answer in gold[:n_items].tolist()]
    for name, scores in zip(predictions.names, score_items(predictions), strict=True):
        columns[name if name not in columns else f"{name} (score)"] = pl.Series(scores, nan_to_null=True)
    return pl.DataFrame(columns)


def _describe_item(
    predictions: Predictions, place: int, side: str, names: Sequence[str], first: float, second: float
) -> ContrastItem:
    data, gold = predictions.data, predictions.gold
    answers = [predictions.systems[name].predicted for name in names]
    return ContrastItem(
        id=str(predictions.ids[place]),
        better=side,
        text=None if data is None else data.texts[place],
        gold=None if gold is None or gold[place] is None else str(gold[place]),
        first_answer=_take_answer(answers[0], place),
        second_answer=_take_answer(answers[1], place),
        first_score=first,
        second_score=second,
    )


def _take_answer(answers: Array | None, place: int) -> str | None:
    return None if answers is None or answers[place] is None else str(answers[place])


def _show_answer(answer: str | None, score: float) -> str:
    return f"{score:g}" if answer is None else answer


def _count_slices(prepared: PreparedPredictions, signs: Array) -> list[ContrastSlice]:
    """Count both sides on every slice, those with the largest difference of the two first."""
    data = prepared.predictions.data
    if data is None:
        return []
    rows = []
    columns = [name for name in data.frame.columns if name not in {"id", *prepared.predictions.names}]
    for column in [*(name for name in columns if 1 < data.frame[name].n_unique() <= MAX_VALUES), "length"]:
        try:
            names = name_slices(prepared, column)[: len(signs)]
        except AssayError:
            continue
        for name in sorted({name for name in names.tolist() if name is not None}):
            chosen = signs[[value == name for value in names.tolist()]]
            counts = int((chosen > 0).sum()), int((chosen < 0).sum())
            if sum(counts):
                rows.append(ContrastSlice(column, name, len(chosen), *counts))
    return sorted(rows, key=lambda row: -abs(row.only_first - row.only_second))[:MAX_SLICES]
