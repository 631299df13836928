"""Details to judge single items by: texts, gold, and the answers of every system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation import Predictions
    from assay.kinds import TaskKind

SCHEMA: dict[str, Any] = {
    "text": pl.String,
    "gold": pl.String,
    "answers": pl.List(pl.String),
    "outcomes": pl.List(pl.Float64),
}


@dataclass(frozen=True, eq=False, repr=False)
class ItemDetails:
    """Texts and gold in the order of the data, and the answers of the systems; texts are None if withheld.

    `places` has the place of every item among the predictions, −1 if it has none. Nothing is copied before
    `to_frame`, so that an audit of many items costs no memory for it.
    """

    texts: pl.Series | None
    gold: pl.Series | None
    predictions: Predictions | None
    places: Array
    has_labels: bool
    private: bool = False
    kind: TaskKind | None = None
    sides: tuple[pl.Series, ...] | None = None  # the texts of pairs

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of the answers."""
        return () if self.predictions is None else tuple(self.predictions.names)

    def withhold_text(self) -> ItemDetails:
        """Return the details without texts; gold and answers stay if they are labels."""
        return replace(self, texts=None, sides=None, gold=self.gold if self.has_labels else None, private=True)

    def to_frame(self, rows: Array | None = None) -> pl.DataFrame:
        """Return text, gold, and lists of answers and outcomes (1 right, 0 wrong), for some rows or for all."""
        numbers = np.arange(len(self.places)) if rows is None else rows
        empty = pl.Series([None] * len(numbers), dtype=pl.String)
        text = empty if self.texts is None else self.texts.gather(numbers).cast(pl.String)
        gold = empty if self.gold is None else self.gold.gather(numbers).cast(pl.String)
        answers, outcomes = self._list_answers(numbers)
        if self.kind is not None and not self.has_labels:
            gold, answers = self._describe(gold, answers, text.to_list())
        return pl.DataFrame({"text": text, "gold": gold, "answers": answers, "outcomes": outcomes}, schema=SCHEMA)

    def write_answers(self, answers: Sequence[str | None], texts: Sequence[str | None]) -> Sequence[str | None]:
        """Return answers as people read them, by the kind of task."""
        return answers if self.kind is None else self.kind.answers.write_answers(answers, texts)

    def _describe(
        self, gold: pl.Series, answers: list[list[str | None] | None], texts: list[str | None]
    ) -> tuple[pl.Series, list[list[str | None] | None]]:
        columns = [
            self.write_answers([None if row is None else row[number] for row in answers], texts)
            for number in range(len(self.systems))
        ]
        described = [None if row is None else [column[n] for column in columns] for n, row in enumerate(answers)]
        return pl.Series(self.write_answers(gold.to_list(), texts), dtype=pl.String), described

    def _list_answers(self, numbers: Array) -> tuple[list[list[str | None] | None], list[list[float | None] | None]]:
        if self.predictions is None:
            return [None] * len(numbers), [None] * len(numbers)
        table = self.predictions.outcomes()
        given = [answers.predicted for answers in self.predictions.systems.values()]
        answers: list[list[str | None] | None] = []
        outcomes: list[list[float | None] | None] = []
        shows_answers = self.has_labels or not self.private
        for place in self.places[numbers].tolist():
            if place < 0:
                answers.append(None)
                outcomes.append(None)
                continue
            scores = table[:, place].tolist()
            outcomes.append([score if np.isfinite(score) else None for score in scores])
            answers.append([_write_answer(values, place) for values in given] if shows_answers else None)
        return answers, outcomes


def _write_answer(values: Array | None, place: int) -> str | None:
    return None if values is None or values[place] is None else str(values[place])


def collect_details(data: Dataset, predictions: Predictions | None, *, private: bool = False) -> ItemDetails:
    """Collect texts, gold and answers; a private audit keeps answers only if they are labels."""
    kind, filled = kind_of(data), data.fill_texts()
    is_paired = kind.texts.is_paired(filled)
    texts = filled.texts if is_paired else kind.texts.get_shown_texts(filled)
    places = np.full(len(data), -1)
    if predictions is not None:
        numbers = {name: row for row, name in reversed(list(enumerate(predictions.ids.tolist())))}
        places = np.array([numbers.get(name, -1) for name in data.ids.to_list()], dtype=np.int64)
    sides = tuple(filled.sides) if is_paired else None
    gold = kind.gold.get_gold(data)
    details = ItemDetails(texts, gold, predictions, places, kind.gold.has_labels, kind=kind, sides=sides)
    return details.withhold_text() if private else details
