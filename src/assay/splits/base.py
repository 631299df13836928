"""Base class of splitters: folds or parts of rows, drawn once or several times, in scikit-learn's protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import AssayError, UsageError
from assay.base.parameters import Parameters, check_integer
from assay.splits.assignments import Assignment, FoldAssignment, PartAssignment, SplitDetails, TrainTest
from assay.splits.groups import choose_groups, number_groups
from assay.splits.items import Rows, SplitItems, convert_rows
from assay.splits.row_order import sort_by_content
from assay.tasks import run_tasks

if TYPE_CHECKING:
    from sklearn.utils.metadata_routing import MetadataRequest

    from assay.text import Corpus

DEFAULT_FOLDS = 5


@dataclass(frozen=True)
class PreparedRows:
    """The rows of one call in an order that depends on their content, as a splitter compares them."""

    X: Matrix
    labels: Array | None
    groups: Array | None
    order: Array


@dataclass(frozen=True, kw_only=True)
class Splitter(Parameters, ABC):
    """A way to split. Equal rows aside, the order of the rows never decides which side a row is on.

    A subclass implements `_choose` (hold-out) or `_assign` (folds). Both get the rows sorted by content, as
    `represent` returned them, labels as an array of objects, and groups as numbers 0…g−1.
    """

    name: ClassVar[str] = "custom"
    is_random: ClassVar[bool] = True
    """Whether anything is drawn at random, so that repeats differ."""
    details_type: ClassVar[type[SplitDetails]] = SplitDetails
    """The type of the details that the splitter reports, with which they are read back from JSON."""
    _groups_request: ClassVar[bool | str | None] = True

    n_repeats: int = 1
    random_state: int = 0

    def __post_init__(self) -> None:
        self._check_parameters()

    def split(self, X: Rows, y: Values | None = None, groups: Values | None = None) -> Iterator[TrainTest]:
        """Yield (train, test) row numbers: every fold of every repeat. Dev rows are on neither side."""
        for assignment in self.iterate_partitions(X, y, groups):
            yield from assignment.iterate_splits()

    @abstractmethod
    def get_n_splits(self, X: Rows | None = None, y: Values | None = None, groups: Values | None = None) -> int:
        """Return how many pairs `split` yields."""

    def get_metadata_routing(self) -> MetadataRequest:
        """Tell scikit-learn's metadata routing that `split` requests groups, as `GroupKFold` does."""
        from sklearn.utils import metadata_routing

        request = metadata_routing.MetadataRequest(owner=type(self).__name__)
        request.split.add_request(param="groups", alias=self._groups_request)
        return request

    def set_split_request(self, *, groups: bool | str | None) -> Self:
        """Set whether metadata routing passes groups to `split` (True by default), or the name it passes them by."""
        object.__setattr__(self, "_groups_request", groups)
        return self

    def __sklearn_clone__(self) -> Self:
        from sklearn.base import clone

        parameters = {name: clone(value, safe=False) for name, value in self.get_params().items()}
        return type(self)(**parameters).set_split_request(groups=self._groups_request)

    def partition(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        corpus: Corpus | None = None,
        vectors: Matrix | None = None,
    ) -> Assignment:
        """Return the fold or the part of every row, in the first repeat.

        X is texts, a `Corpus`, or a matrix. `corpus` and `vectors` belong to the same rows, so that texts that were cut
        into words or encoded before are not processed again.
        """
        return next(self.iterate_partitions(X, y, groups, corpus=corpus, vectors=vectors))

    def iterate_partitions(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        corpus: Corpus | None = None,
        vectors: Matrix | None = None,
    ) -> Iterator[Assignment]:
        """Yield the fold or the part of every row, once per repeat."""
        rows = self._prepare(SplitItems.from_input(X, corpus, vectors), y, groups)
        for repeat in range(self.n_repeats):
            yield self.draw_repeat(rows, repeat)

    def draw_partitions(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        corpus: Corpus | None = None,
        vectors: Matrix | None = None,
        n_jobs: int = 1,
        backend: str | None = None,
    ) -> list[Assignment]:
        """Return all repeats, computed side by side: in threads, or on the back end named. Both change no result."""
        rows = self._prepare(SplitItems.from_input(X, corpus, vectors), y, groups)
        tasks = [(rows, repeat) for repeat in range(self.n_repeats)]
        return run_tasks(self.draw_repeat, tasks, n_jobs=n_jobs, backend=backend or "threads")

    def draw_repeat(self, rows: PreparedRows, repeat: int) -> Assignment:
        """Split prepared rows once, and return the assignment in the order of the input."""
        assignment = self._draw(rows.X, rows.labels, rows.groups, derive_seed(self.random_state, repeat))
        places = np.empty(len(rows.order), np.int64)
        places[rows.order] = np.arange(len(places))
        return assignment.reorder(places)

    def represent(self, items: SplitItems) -> Matrix:
        """Return what rows are compared by, one row each; computed once and shared by all repeats."""
        return items.rows

    def _prepare(self, items: SplitItems, y: Values | None, groups: Values | None) -> PreparedRows:
        labels, group_names = (None if values is None else convert_rows(values) for values in (y, groups))
        n = len(items)
        for what, values in (("labels", labels), ("groups", group_names)):
            if values is not None and len(values) != n:
                raise AssayError(f"{n} rows, but {len(values)} {what}.")
        if n < 2:
            raise AssayError(f"A split needs at least 2 rows, there {'is 1' if n == 1 else 'are none'}.")
        order = sort_by_content(items.rows, labels, group_names)
        return PreparedRows(
            self.represent(items.take(order)),
            None if labels is None else labels[order],
            None if group_names is None else number_groups(group_names[order]),
            order,
        )

    def _check_parameters(self) -> None:
        check_integer("n_repeats", self.n_repeats, 1)
        check_integer("random_state", self.random_state, 0)
        if self.n_repeats > 1 and not self.is_random:
            raise UsageError(f"The {self.name} split is not random: {self.n_repeats} repeats would be equal.")

    @abstractmethod
    def _draw(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> Assignment:
        """Split rows that are sorted by content once."""


@dataclass(frozen=True, kw_only=True)
class HoldoutSplitter(Splitter):
    """A way to choose a test set; the dev set is chosen the same way from the rest.

    `test_size` and `dev_size` are shares below 1, or numbers of rows from 1 on.
    """

    test_size: float | None = 0.1
    dev_size: float = 0.0

    def get_n_splits(self, X: Rows | None = None, y: Values | None = None, groups: Values | None = None) -> int:  # noqa: ARG002
        """Return the number of repeats."""
        return self.n_repeats

    @abstractmethod
    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:
        """Return a boolean array that marks about `size` rows: the test set."""

    def _draw(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> Assignment:
        n = X.shape[0]
        requested = count_requested_rows(n, self.test_size, self.dev_size)
        names = np.array(["train", *(part for part in ("test", "dev") if requested[part])], dtype=object)
        parts = np.zeros(n, np.int8)
        for number, part in enumerate(names[1:].tolist()):
            rest = np.flatnonzero(parts == 0)
            labels = None if y is None else y[rest]
            numbers = None if groups is None else number_groups(groups[rest])
            seed = derive_seed(random_state, number)
            chosen = self._choose(X if len(rest) == n else X[rest], requested[part], labels, numbers, seed)
            parts[rest[chosen]] = number + 1
            self._check_sides(part, int((parts == number + 1).sum()), int((parts == 0).sum()), requested[part])
        return PartAssignment(names.take(parts), requested)

    def _check_sides(self, part: str, n_chosen: int, n_train: int, n_requested: int) -> None:
        if n_chosen == 0 or n_train == 0:
            raise AssayError(
                f"The {self.name} split cannot make a {part} set of {n_requested} rows: rows that must stay together "
                f"leave {n_chosen} for {part} and {n_train} for train."
            )


@dataclass(frozen=True, kw_only=True)
class FoldSplitter(HoldoutSplitter):
    """A way to make folds: `n_splits` of them (5 by default), or, with `test_size`, a test set of whole folds.

    The two exclude each other. With `test_size` the number of folds follows from the size, and folds drawn at random
    make up the test set.
    """

    n_splits: int | None = None
    test_size: float | None = None

    @property
    def n_folds(self) -> int:
        """The number of folds that are made without `test_size`."""
        return DEFAULT_FOLDS if self.n_splits is None else self.n_splits

    def get_n_splits(self, X: Rows | None = None, y: Values | None = None, groups: Values | None = None) -> int:  # noqa: ARG002
        """Return the number of folds of all repeats, or the number of repeats with `test_size`."""
        return self.n_repeats * (self.n_folds if self.test_size is None else 1)

    def assign(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        corpus: Corpus | None = None,
        vectors: Matrix | None = None,
    ) -> FoldAssignment:
        """Return the fold (1…k) of every row, with what the method reports about the folds."""
        folds_only = replace(self, test_size=None, dev_size=0.0, n_repeats=1)
        assignment = folds_only.partition(X, y, groups, corpus=corpus, vectors=vectors)
        assert isinstance(assignment, FoldAssignment)
        return assignment

    @abstractmethod
    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:
        """Make `self.n_folds` folds of rows that are sorted by content."""

    def _draw(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> Assignment:
        if self.test_size is not None:
            return super()._draw(X, y, groups, random_state)
        self._check_rows(X.shape[0], groups)
        assignment = self._assign(X, y, groups, random_state)
        n_empty = self.n_folds - len(np.unique(assignment.folds))
        if n_empty:
            raise AssayError(
                f"The {self.name} split left {n_empty} of {self.n_folds} folds empty.",
                hint="Make fewer folds with {n_splits}.",
            )
        return assignment

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:
        n = X.shape[0]
        share = Fraction(size, n).limit_denominator(20) or Fraction(1, round(n / size))
        n_splits = max(2, min(share.denominator, n if groups is None else int(groups.max()) + 1))
        folder = replace(self, n_splits=n_splits, test_size=None, dev_size=0.0)
        folder._check_rows(n, groups)  # noqa: SLF001, same class
        folds = folder._assign(X, y, groups, random_state).folds  # noqa: SLF001
        # Folds of unequal size come in seeded order, and those that overshoot are skipped.
        order = np.random.default_rng(random_state).permutation(int(folds.max()))
        return choose_groups(folds - 1, np.zeros(n, dtype=np.int64), np.array([size]), order)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.n_splits is not None:
            check_integer("n_splits", self.n_splits, 2)
        if self.n_splits is not None and self.test_size is not None:
            raise UsageError(
                f"The {self.name} split makes folds or a test set, not both.",
                hint="Give {n_splits} for folds, or {test_size} for a test set of whole folds.",
            )
        if self.dev_size and self.test_size is None:
            raise UsageError("Folds have no dev set.", hint="Give {test_size} with {dev_size}.")

    def _check_rows(self, n: int, groups: Array | None) -> None:
        if self.n_folds > n:
            raise AssayError(f"{n} rows cannot make {self.n_folds} folds.")
        n_groups = n if groups is None else int(groups.max()) + 1
        if n_groups < self.n_folds:
            raise AssayError(f"{n_groups} groups that must stay whole cannot make {self.n_folds} folds.")


def count_requested_rows(n: int, test_size: float | None, dev_size: float) -> dict[str, int]:
    """Turn sizes, shares below 1 or numbers of rows, into the number of rows of each part.

    >>> count_requested_rows(50, 0.1, 10)
    {'train': 35, 'dev': 10, 'test': 5}
    """
    sizes = {}
    requested: tuple[tuple[str, Any], ...] = (("dev", dev_size or 0), ("test", test_size or 0))
    for part, size in requested:
        is_size = not isinstance(size, str) and 0 <= size < float("inf") and (size <= 1 or size == int(size))
        if not is_size or (part == "test" and not size):
            raise UsageError(f"must be a share below 1 or a number of rows, not {size}.", option=f"{part}_size")
        sizes[part] = max(1, int(size * n + 0.5)) if 0 < size < 1 else int(size)
    n_train = n - sum(sizes.values())
    if n_train < 1:
        raise AssayError(f"{n} rows: dev {sizes['dev']} and test {sizes['test']} leave {n_train} rows to train on.")
    return {"train": n_train, **sizes}


def derive_seed(random_state: int, repeat: int) -> int:
    """Return the seed of a repeat; that of the first is the seed itself."""
    return random_state if repeat == 0 else int(np.random.SeedSequence([random_state, repeat]).generate_state(1)[0])
