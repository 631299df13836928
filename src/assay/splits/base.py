"""What every splitter is: folds or parts of rows, drawn once or several times, in scikit-learn's protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from assay.errors import AssayError, UsageError
from assay.results import Result
from assay.splits.grouping import filled, recoded
from assay.splits.rows import as_rows, canonical_order, texts_of, vectors

__all__ = ["Assignment", "Fold", "FoldSplitter", "HoldoutSplitter", "Parts", "Splitter", "texts_of", "vectors"]


class Fold(NamedTuple):
    """Row numbers to train on and to test on; unpacks as scikit-learn expects."""

    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True)
class Assignment(Result):
    """The fold (1…k) of every row, 0 for one left out. Methods extend this; `folds` alone is per row."""

    folds: np.ndarray = field(repr=False)

    def cuts(self) -> Iterator[Fold]:
        """Yield every fold as the test side, against all others."""
        for number in range(1, int(self.folds.max()) + 1):
            others = (self.folds != number) & (self.folds > 0)
            yield Fold(np.flatnonzero(others), np.flatnonzero(self.folds == number))


@dataclass(frozen=True)
class Parts(Result):
    """The part of every row (train, dev, test, unused), the rows asked for, and how often each row was drawn."""

    parts: np.ndarray = field(repr=False)
    asked: dict[str, int]
    weights: np.ndarray | None = field(default=None, repr=False)

    @property
    def sizes(self) -> dict[str, int]:
        """Count the rows of each part that occurs."""
        names, counts = np.unique(self.parts.astype(str), return_counts=True)
        return dict(zip(names.tolist(), counts.tolist(), strict=True))

    def cuts(self) -> Iterator[Fold]:
        """Yield the one cut; a training row stands there as often as it was drawn."""
        train = np.flatnonzero(self.parts == "train")
        if self.weights is not None:
            train = np.repeat(train, self.weights[train])
        yield Fold(train, np.flatnonzero(self.parts == "test"))


@dataclass(frozen=True, kw_only=True)
class Splitter(ABC):
    """A way to split. Equal rows aside, the order of the rows never decides which side one is on.

    A subclass implements `_choose` (hold-out) or `_assign` (folds). Both see the rows in canonical order, as
    `represent` made them, labels as an array of objects, and groups as numbers 0…g−1 in the order they come up.
    """

    name: ClassVar[str]
    draws: ClassVar[bool] = True
    """Whether anything is drawn at random, so that repeats differ."""

    n_repeats: int = 1
    random_state: int = 0

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Fold]:
        """Yield (train, test) row numbers: every fold of every repeat. Dev rows are on neither side."""
        for drawn in self.partitions(X, y, groups):
            yield from drawn.cuts()

    @abstractmethod
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Count what `split` yields."""

    def partition(self, X: Any, y: Any = None, groups: Any = None) -> Assignment | Parts:
        """Return the first repeat: the fold or the part of every row."""
        return next(self.partitions(X, y, groups))

    def partitions(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Assignment | Parts]:
        """Yield the fold or the part of every row, once a repeat."""
        self._check()
        X, y, groups, order = in_canonical_order(X, y, groups)
        X = self.represent(X)
        for repeat in range(self.n_repeats):
            yield in_file_order(self._draw(X, y, groups, seed_of(self.random_state, repeat)), order)

    def represent(self, X: Any) -> Any:
        """Return what rows are compared by, one row each; made once and shared by all repeats."""
        return X

    def _check(self) -> None:
        if self.n_repeats < 1:
            raise UsageError(f"n_repeats must be at least 1, not {self.n_repeats}.")
        if self.n_repeats > 1 and not self.draws:
            raise UsageError(f"The {self.name} split draws nothing at random: {self.n_repeats} repeats would be equal.")

    @abstractmethod
    def _draw(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment | Parts:
        """Split rows in canonical order once."""


@dataclass(frozen=True, kw_only=True)
class HoldoutSplitter(Splitter):
    """A way to choose a test set; the dev set is chosen the same way from the rest.

    `test_size` and `dev_size` are shares below 1, or numbers of rows from 1 on.
    """

    test_size: float | None = 0.1
    dev_size: float = 0.0

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Count the repeats."""
        return self.n_repeats

    @abstractmethod
    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:
        """Return a boolean array, true for about `size` rows: the test set."""

    def _draw(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment | Parts:
        n = X.shape[0]
        asked = asked_rows(n, self.test_size, self.dev_size)
        parts = np.full(n, "train", dtype=object)
        for number, part in enumerate([part for part in ("test", "dev") if asked[part]]):
            rest = np.flatnonzero(parts == "train")
            seen = (None if y is None else y[rest], None if groups is None else recoded(groups[rest]))
            chosen = self._choose(X if len(rest) == n else X[rest], asked[part], *seen, seed_of(random_state, number))
            parts[rest[chosen]] = part
            self._check_sides(part, parts, asked[part])
        return Parts(parts, asked)

    def _check_sides(self, part: str, parts: np.ndarray, asked: int) -> None:
        reached = int((parts == part).sum())
        if reached == 0 or not (parts == "train").any():
            left = int((parts == "train").sum())
            raise AssayError(
                f"The {self.name} split cannot make a {part} set of {asked} rows: what must stay together leaves "
                f"{reached} for {part} and {left} for train."
            )


@dataclass(frozen=True, kw_only=True)
class FoldSplitter(HoldoutSplitter):
    """A way to make K folds. With `test_size`, whole folds drawn at random make the test set instead."""

    n_splits: int = 5
    test_size: float | None = None

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Count the folds of all repeats."""
        return self.n_repeats * (self.n_splits if self.test_size is None else 1)

    def assign(self, X: Any, y: Any = None, groups: Any = None) -> Assignment:
        """Return the fold (1…k) of every row, with what the method has to tell about it."""
        drawn = replace(self, test_size=None, n_repeats=1).partition(X, y, groups)
        assert isinstance(drawn, Assignment)
        return drawn

    @abstractmethod
    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:
        """Make `self.n_splits` folds of rows in canonical order."""

    def _draw(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment | Parts:
        if self.test_size is not None:
            return super()._draw(X, y, groups, random_state)
        if self.dev_size:
            raise UsageError("dev_size needs test_size: K folds have no dev set.")
        self._check_folds(X.shape[0], groups)
        made = self._assign(X, y, groups, random_state)
        empty = set(range(1, self.n_splits + 1)) - set(np.unique(made.folds).tolist())
        if empty:
            raise AssayError(f"The {self.name} split left {len(empty)} of {self.n_splits} folds empty: fewer folds?")
        return made

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:
        n = X.shape[0]
        share = Fraction(size, n).limit_denominator(20) or Fraction(1, round(n / size))
        n_splits = max(2, min(share.denominator, n if groups is None else int(groups.max()) + 1))
        whole = replace(self, n_splits=n_splits, test_size=None, dev_size=0.0)
        whole._check_folds(n, groups)  # noqa: SLF001, its own kind
        folds = whole._assign(X, y, groups, random_state).folds  # noqa: SLF001
        # Folds of unequal size come in seeded order, and those that overshoot are passed over.
        order = np.random.default_rng(random_state).permutation(int(folds.max()))
        return filled(folds - 1, np.zeros(n, dtype=np.int64), np.array([size]), order)

    def _check_folds(self, n: int, groups: Any) -> None:
        if self.n_splits < 2:
            raise UsageError(f"n_splits must be at least 2, not {self.n_splits}.")
        if self.n_splits > n:
            raise AssayError(f"{n} rows cannot make {self.n_splits} folds.")
        n_groups = n if groups is None else int(groups.max()) + 1
        if n_groups < self.n_splits:
            raise AssayError(f"{n_groups} groups that must stay whole cannot make {self.n_splits} folds.")


def in_canonical_order(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any, np.ndarray]:
    """Return rows, labels and groups in canonical order, and that order."""
    X, y, groups = as_rows(X), None if y is None else as_rows(y), None if groups is None else as_rows(groups)
    n = X.shape[0]
    check_lengths(n, y, groups)
    if n < 2:
        raise AssayError(f"A split needs at least 2 rows, there {'is 1' if n == 1 else 'are none'}.")
    order = canonical_order(X, y, groups)
    ordered = None if groups is None else recoded(groups[order])
    return X[order], None if y is None else y[order], ordered, order


def check_lengths(n: int, y: Any, groups: Any) -> None:
    """Refuse labels or groups that are not as many as the rows."""
    for what, values in (("labels", y), ("groups", groups)):
        if values is not None and len(values) != n:
            raise AssayError(f"{n} rows, but {len(values)} {what}.")


def in_file_order(drawn: Assignment | Parts, order: np.ndarray) -> Assignment | Parts:
    """Bring what was drawn on canonical order back to the rows of the file."""
    back = np.argsort(order)
    if isinstance(drawn, Assignment):
        return replace(drawn, folds=drawn.folds[back])
    return replace(drawn, parts=drawn.parts[back], weights=None if drawn.weights is None else drawn.weights[back])


def asked_rows(n: int, test_size: float | None, dev_size: float) -> dict[str, int]:
    """Turn sizes, shares below 1 or numbers of rows, into rows of each part.

    >>> asked_rows(50, 0.1, 10)
    {'train': 35, 'dev': 10, 'test': 5}
    """
    sizes = {}
    for part, size in (("dev", dev_size or 0), ("test", test_size or 0)):
        if not 0 <= size < float("inf") or (size > 1 and size != int(size)) or (part == "test" and not size):
            raise UsageError(f"{part}_size must be a share below 1 or a number of rows, not {size}.")
        sizes[part] = max(1, int(size * n + 0.5)) if 0 < size < 1 else int(size)
    left = n - sum(sizes.values())
    if left < 1:
        raise AssayError(f"{n} rows: dev {sizes['dev']} and test {sizes['test']} leave {left} rows to train on.")
    return {"train": left, **sizes}


def seed_of(random_state: int, repeat: int) -> int:
    """Return the seed of a repeat; the first one's is the seed itself."""
    return random_state if repeat == 0 else int(np.random.SeedSequence([random_state, repeat]).generate_state(1)[0])
