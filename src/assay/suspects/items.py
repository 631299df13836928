"""The items to judge: from the data, or without data from the predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.evaluation import Predictions


class JudgedItems:
    """The items to judge: ids, labels if known, and the dataset if there is one."""

    def __init__(self, name: str, ids: pl.Series, labels: pl.Series, data: Dataset | None) -> None:
        self.name, self.ids, self.labels, self.data = name, ids, labels, data
        self.names: list[str] = sorted(labels.drop_nulls().unique().to_list())

    @classmethod
    def collect(cls, data: Dataset | None, answers: Predictions | None) -> JudgedItems:
        """Take the items from the data, or without data from the predictions."""
        gold = None if data is None else find_gold(data)
        if data is not None and gold is not None:
            return cls(data.name, data.ids, gold, data if data.has_texts else None)
        if answers is None:
            raise AssayError("there are no labels to judge", hint="Name their column with {label}.")
        labels = [None] * len(answers) if answers.gold is None else answers.gold.tolist()
        return cls(
            "predictions", pl.Series(answers.ids.tolist(), dtype=pl.String), pl.Series(labels, dtype=pl.String), None
        )

    @property
    def order(self) -> Array:
        """Return the order in which items are judged, whatever their order in the data."""
        return np.arange(len(self)) if self.data is None else self.data.order

    def sort_rows(self) -> JudgedItems:
        """Return the items in the order in which they are judged."""
        data = None if self.data is None else self.data.sort_rows()
        return JudgedItems(self.name, self.ids.gather(self.order), self.labels.gather(self.order), data)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def codes(self) -> Array:
        """Return the number of each label in `names`, -1 if it has none."""
        numbers = self.labels.cast(pl.Enum(self.names)).to_physical().cast(pl.Int64)
        return numbers.fill_null(-1).to_numpy()

    @property
    def label_form(self) -> str:
        """Return the form of an answer: class, grade, class set, tag sequence or text."""
        return "class" if self.data is None else kind_of(self.data).gold.label_form

    @property
    def has_grades(self) -> bool:
        """Return whether labels are numbers on a scale."""
        return self.data is not None and kind_of(self.data).gold.has_grades


def find_gold(data: Dataset) -> pl.Series | None:
    """Return the right answer of every item as text: the label, or what the kind of task has in its place."""
    return kind_of(data).gold.get_gold(data) if data.labels is None else data.labels
