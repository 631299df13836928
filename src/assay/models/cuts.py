"""Which rows to learn from, to stop by and to predict: the data's own parts, or a folds file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError
from assay.data.hold_out import PartRows, split_train_test

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds


@dataclass(frozen=True)
class Cut(PartRows):
    """Row numbers of one training: train, dev where there is one, test; and the fold and repeat it stands for."""

    fold: int | None = None
    repeat: int | None = None

    def named(self) -> str:
        """Name the cut in messages.

        >>> Cut(np.array([0]), np.array([]), np.array([1]), fold=2, repeat=0).named()
        'fold 2, repeat 0'
        """
        told = [f"fold {self.fold}"] if self.fold is not None else []
        return ", ".join([*told, *([f"repeat {self.repeat}"] if self.repeat is not None else [])])


def own_cuts(data: Dataset, predict: Sequence[str] = (), random_state: int = 0) -> tuple[list[Cut], list[str]]:
    """Return the cut the data's parts make, and notes; `predict` names the parts to predict, test by default."""
    rows, note = split_train_test(data, random_state)
    test = _rows(data, predict) if predict else rows.test
    return [Cut(_labelled(data, rows.train), _labelled(data, rows.dev), test)], [note] if note else []


def folds_cuts(data: Dataset, folds: Folds) -> list[Cut]:
    """Return one cut for every fold and repeat of a folds file."""
    parts = None if data.parts is None else data.parts.to_list()
    cuts = []
    for repeat, drawn in enumerate(folds.draws(data.ids.to_list(), parts)):
        number = repeat if folds.n_repeats > 1 else None
        cuts += drawn_cuts(data, drawn, number)
    return cuts


def drawn_cuts(data: Dataset, drawn: Any, repeat: int | None) -> list[Cut]:
    """Return the cuts of one draw of a split: one a fold, or one for its parts."""
    by_fold = hasattr(drawn, "folds")
    dev = np.arange(0) if by_fold else np.flatnonzero(drawn.parts == "dev")
    cuts = []
    for number, (train, test) in enumerate(drawn.cuts(), start=1):
        if not len(test):
            raise AssayError(f"{data.name}: the folds hold no test rows.")
        fold = number if by_fold else None
        cuts.append(Cut(_labelled(data, train), _labelled(data, dev), test, fold, repeat))
    return cuts


def _rows(data: Dataset, parts: Sequence[str]) -> np.ndarray:
    for part in parts:
        data.part(part)  # raises, with the parts there are
    assert data.parts is not None
    return np.flatnonzero(np.isin(np.array(data.parts.fill_null("").to_list()), list(parts)))


def _labelled(data: Dataset, rows: np.ndarray) -> np.ndarray:
    if data.labels is None:
        data.drop_unlabelled()  # raises, with the columns there are
    assert data.labels is not None
    has = data.labels.is_not_null().to_numpy()
    return np.asarray(rows[has[rows]])
