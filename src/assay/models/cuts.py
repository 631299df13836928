"""Which rows to learn from, to stop by and to predict: the data's own parts, or a folds file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds


@dataclass(frozen=True)
class Cut:
    """Row numbers of one training: train, dev where there is one, test; and the fold and repeat it stands for."""

    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    dev: np.ndarray | None = field(default=None, repr=False)
    fold: int | None = None
    repeat: int | None = None

    def named(self) -> str:
        """Name the cut in messages.

        >>> Cut(np.array([0]), np.array([1]), fold=2, repeat=0).named()
        'fold 2, repeat 0'
        """
        told = [f"fold {self.fold}"] if self.fold is not None else []
        return ", ".join([*told, *([f"repeat {self.repeat}"] if self.repeat is not None else [])])


def own_cuts(data: Dataset, predict: Sequence[str] = (), random_state: int = 0) -> tuple[list[Cut], list[str]]:
    """Return the cut the data's parts make, and notes; `predict` names the parts to predict, test by default."""
    place = {id_: row for row, id_ in enumerate(data.ids.to_list())}
    train, test, note = data.train_and_test(random_state)
    rows = [np.array([place[id_] for id_ in side.ids.to_list()]) for side in (train, test)]
    dev = None
    if {"train", "dev", "test"} <= set(data.part_names):
        dev = _rows(data, ["dev"])
    if predict:
        rows[1] = _rows(data, predict)
    return [Cut(_labelled(data, rows[0]), rows[1], _labelled(data, dev))], [note] if note else []


def folds_cuts(data: Dataset, folds: Folds) -> list[Cut]:
    """Return one cut for every fold and repeat of a folds file."""
    parts = None if data.parts is None else data.parts.to_list()
    cuts = []
    for repeat, drawn in enumerate(folds.align(data.ids.to_list(), parts)):
        number = repeat if folds.n_repeats > 1 else None
        cuts += drawn_cuts(data, drawn, number)
    return cuts


def drawn_cuts(data: Dataset, drawn: Any, repeat: int | None) -> list[Cut]:
    """Return the cuts of one draw of a split: one a fold, or one for its parts."""
    by_fold = hasattr(drawn, "folds")
    dev = None if by_fold else np.flatnonzero(drawn.parts == "dev")
    cuts = []
    for number, (train, test) in enumerate(drawn.iterate_splits(), start=1):
        if not len(test):
            raise AssayError(f"{data.name}: the folds hold no test rows.")
        fold = number if by_fold else None
        cuts.append(Cut(_labelled(data, train), test, _labelled(data, dev), fold, repeat))
    return cuts


def _rows(data: Dataset, parts: Sequence[str]) -> np.ndarray:
    for part in parts:
        data.part(part)  # raises, with the parts there are
    assert data.parts is not None
    return np.flatnonzero(np.isin(np.array(data.parts.fill_null("").to_list()), list(parts)))


def _labelled(data: Dataset, rows: Any) -> Any:
    if rows is None:
        return None
    if data.labels is None:
        data.labelled()  # raises, with the columns there are
    assert data.labels is not None
    has = data.labels.is_not_null().to_numpy()
    kept = rows[has[rows]]
    return kept if len(kept) else None
