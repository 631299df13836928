"""The outcome of a split: the fold of every row, or the part of every row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.base.parameters import Options
from assay.views.results import Result

PARTS = ("train", "dev", "test", "unused")
_NOT_IN_JSON: dict[str, Any] = {"json": False, **OWN}


class TrainTest(NamedTuple):
    """Row numbers to train on and to test on; unpacks as scikit-learn expects."""

    train: Array
    test: Array


@dataclass(frozen=True)
class SplitDetails(Result):
    """Values that a method reports in addition to the folds; most methods report nothing."""


@dataclass(frozen=True, eq=False)
class FoldAssignment(Result):
    """The fold (1…k) of every row, 0 for a row that is left out, and what the method reports about the folds.

    >>> FoldAssignment(np.array([1, 2, 1, 0]))
    FoldAssignment(4 rows, 2 folds of 1 to 2 rows, 1 row unused)
    """

    folds: Array = field(metadata=OWN)
    details: SplitDetails = field(default_factory=SplitDetails, metadata=_NOT_IN_JSON)

    def __len__(self) -> int:
        return len(self.folds)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FoldAssignment):
            return NotImplemented
        return np.array_equal(self.folds, other.folds) and self.details == other.details

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        sizes = list(self.sizes.values())
        unused = int((self.folds == 0).sum())
        return _describe("FoldAssignment", len(self), f"{len(sizes)} folds of {_describe_range(sizes)} rows", unused)

    @property
    def n_folds(self) -> int:
        """The highest fold number."""
        return int(self.folds.max(initial=0))

    @property
    def sizes(self) -> dict[str, int]:
        """The number of rows of each fold that has rows."""
        return {name: int(rows.sum()) for name, rows in self.iterate_members()}

    def iterate_members(self) -> Iterator[tuple[str, Array]]:
        """Yield the name of each fold that has rows, and a boolean array that marks them."""
        for fold in np.unique(self.folds[self.folds > 0]).tolist():
            yield str(fold), self.folds == fold

    def iterate_splits(self) -> Iterator[TrainTest]:
        """Yield each fold as the test side, with all others as the training side."""
        for fold in range(1, self.n_folds + 1):
            others = (self.folds != fold) & (self.folds > 0)
            yield TrainTest(np.flatnonzero(others), np.flatnonzero(self.folds == fold))

    def reorder(self, order: Array) -> FoldAssignment:
        """Return the assignment of rows taken in another order."""
        return FoldAssignment(self.folds[order], self.details)

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild an assignment from what `to_dict` returned; details are not kept there."""
        return cls(np.array(values["folds"], dtype=np.int64))

    def _frame(self) -> pl.DataFrame:
        return pl.DataFrame({"row": np.arange(len(self)), "fold": self.folds})


@dataclass(frozen=True, eq=False)
class PartAssignment(Result):
    """The part of every row (train, dev, test or unused), and how many rows of each were requested.

    `weights` says how often each row was drawn, for a split that draws with replacement.

    >>> PartAssignment(np.array(["train", "test", "train"], dtype=object))
    PartAssignment(3 rows, train 2, test 1)
    """

    parts: Array = field(metadata=OWN)
    requested: dict[str, int] = field(default_factory=dict, metadata=_NOT_IN_JSON)
    weights: Array | None = field(default=None, metadata=OWN)

    def __len__(self) -> int:
        return len(self.parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartAssignment):
            return NotImplemented
        if (self.weights is None) != (other.weights is None) or self.requested != other.requested:
            return False
        same_weights = self.weights is None or np.array_equal(self.weights, other.weights)  # type: ignore[arg-type]
        return same_weights and np.array_equal(self.parts, other.parts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} {size:,}" for name, size in self.sizes.items() if name != "unused")
        return _describe("PartAssignment", len(self), sizes, self.sizes.get("unused", 0))

    @property
    def details(self) -> SplitDetails:
        """Nothing: methods report only about folds."""
        return SplitDetails()

    @property
    def sizes(self) -> dict[str, int]:
        """The number of rows of each part that has rows."""
        counts = {name: int((self.parts == name).sum()) for name in PARTS}
        return {name: size for name, size in counts.items() if size}

    def iterate_members(self) -> Iterator[tuple[str, Array]]:
        """Yield the name of each part in use that has rows, and a boolean array that marks them."""
        for part in ("train", "dev", "test"):
            if (self.parts == part).any():
                yield part, self.parts == part

    def iterate_splits(self) -> Iterator[TrainTest]:
        """Yield the training and the test rows; a training row occurs as often as it was drawn."""
        train = np.flatnonzero(self.parts == "train")
        if self.weights is not None:
            train = np.repeat(train, self.weights[train])
        yield TrainTest(train, np.flatnonzero(self.parts == "test"))

    def reorder(self, order: Array) -> PartAssignment:
        """Return the assignment of rows taken in another order."""
        weights = None if self.weights is None else self.weights[order]
        return PartAssignment(self.parts.take(order), self.requested, weights)

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild an assignment from what `to_dict` returned; the requested sizes are not kept there."""
        weights = values.get("weights")
        parts = np.array(values["parts"], dtype=object)
        return cls(parts, weights=None if weights is None else np.array(weights, dtype=np.int64))

    def _frame(self) -> pl.DataFrame:
        columns = {"row": np.arange(len(self)), "part": self.parts.tolist()}
        return pl.DataFrame(columns if self.weights is None else {**columns, "weight": self.weights})


Assignment = FoldAssignment | PartAssignment


def _describe(name: str, n_rows: int, sizes: str, n_unused: int) -> str:
    unused = f", {n_unused:,} row{'' if n_unused == 1 else 's'} unused" if n_unused else ""
    return f"{name}({n_rows:,} rows, {sizes}{unused})"


def _describe_range(sizes: list[int]) -> str:
    low, high = min(sizes, default=0), max(sizes, default=0)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
