"""Which rows a model learns from, stops by and predicts: by the parts of the data, by a folds file, or by a draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data.hold_out import PartRows, split_train_test

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds


NO_ROWS: Array = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class RowSplit(PartRows):
    """Row numbers of one training: train, dev and test, and the fold and repeat they belong to.

    >>> RowSplit(np.array([0, 1]), NO_ROWS, np.array([2]), fold=2, repeat=0)
    RowSplit(train: 2 rows, dev: 0 rows, test: 1 rows, fold 2, repeat 0)
    """

    fold: int | None = None
    repeat: int | None = None

    @property
    def name(self) -> str:
        """Name the fold and the repeat in messages.

        >>> RowSplit(np.array([0]), NO_ROWS, np.array([1]), fold=2, repeat=0).name
        'fold 2, repeat 0'
        """
        numbers = {"fold": self.fold, "repeat": self.repeat}
        return ", ".join(f"{kind} {number}" for kind, number in numbers.items() if number is not None)

    def __repr__(self) -> str:
        sizes = [f"{part}: {len(getattr(self, part))} rows" for part in ("train", "dev", "test")]
        return f"RowSplit({', '.join([*sizes, *([self.name] if self.name else [])])})"


def split_by_parts(data: Dataset, predict: Sequence[str] = (), random_state: int = 0) -> tuple[RowSplit, list[str]]:
    """Return the rows of the data's parts, and notes; `predict` names the parts to predict, test by default.

    Rows without a label are neither learnt from nor stopped by.
    """
    rows, note = split_train_test(data, random_state)
    test = _rows_of_parts(data, predict) if predict else rows.test
    split = RowSplit(_keep_labelled(data, rows.train), _keep_labelled(data, rows.dev), test)
    return split, [note] if note else []


def split_by_folds(data: Dataset, folds: Folds) -> list[RowSplit]:
    """Return one split for every fold and repeat of a folds file."""
    parts = None if data.parts is None else data.parts.to_list()
    splits = []
    for repeat, draw in enumerate(folds.align(data.ids.to_list(), parts)):
        splits += split_by_draw(data, draw, repeat if folds.n_repeats > 1 else None)
    return splits


def split_by_draw(data: Dataset, draw: Any, repeat: int | None = None) -> list[RowSplit]:
    """Return the splits of one draw of a splitter: one for each fold, or one for its parts."""
    has_folds = hasattr(draw, "folds")
    dev = NO_ROWS if has_folds else np.flatnonzero(draw.parts == "dev")
    splits = []
    for number, (train, test) in enumerate(draw.iterate_splits(), start=1):
        if not len(test):
            raise AssayError("the folds hold no test rows", place=data.name)
        fold = number if has_folds else None
        splits.append(RowSplit(_keep_labelled(data, train), _keep_labelled(data, dev), test, fold, repeat))
    return splits


def _rows_of_parts(data: Dataset, parts: Sequence[str]) -> Array:
    for part in parts:
        data.part(part)  # raises, with the parts there are
    assert data.parts is not None
    return np.flatnonzero(np.isin(np.array(data.parts.fill_null("").to_list()), list(parts)))


def _keep_labelled(data: Dataset, rows: Array) -> Array:
    if data.labels is None:
        data.drop_unlabelled()  # raises, with the columns there are
    assert data.labels is not None
    kept: Array = rows[data.labels.is_not_null().to_numpy()[rows]]
    return kept
