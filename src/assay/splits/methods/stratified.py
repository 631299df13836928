"""The stratified split: every side has the label shares of the whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.base.errors import AssayError
from assay.splits.assignments import FoldAssignment, SplitDetails
from assay.splits.base import FoldSplitter
from assay.splits.groups import assign_groups, choose_groups, number_labels
from assay.splits.label_sets import stratify_label_sets
from assay.splits.registry import SPLITS


@dataclass(frozen=True)
class StratifiedDetails(SplitDetails):
    """How many rows are above the ceiling of their (label, fold) share: 0 unless groups had to stay whole."""

    n_off_quota: int


@SPLITS.add("stratified")
@dataclass(frozen=True, kw_only=True)
class StratifiedSplit(FoldSplitter):
    """Draw at random such that each label has the same share everywhere.

    Every (label, fold) count is the floor or the ceiling of its share and fold sizes differ by at most 1, also for
    labels with one row. Rows without a label count as a label of their own. With groups, which stay whole, the counts
    are as close as assigning group by group brings them; `details.n_off_quota` counts the rows that are off. With a
    `separator`, a label is a set of labels joined by it, and each of them is kept even (Sechidis et al. 2011).

    >>> StratifiedSplit(n_splits=2).assign(["a", "b", "c", "d"], ["x", "x", "y", "y"]).folds.tolist()
    [2, 1, 1, 2]
    """

    details_type = StratifiedDetails

    separator: str | None = None

    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:
        rng, labels = np.random.default_rng(random_state), self._number_labels(y, X.shape[0])
        if self.separator is not None and y is not None:
            folds = 1 + stratify_label_sets(y, self.separator, np.full(self.n_folds, 1 / self.n_folds), groups, rng)
        elif groups is not None:
            folds = assign_groups(groups, labels, self.n_folds, rng.permutation(int(groups.max()) + 1))
        else:
            folds = np.empty(len(labels), dtype=np.int64)
            # Rows sorted by label and numbered in turn: each label, and the whole, has floor or ceiling in each fold.
            turns = rng.permutation(self.n_folds)[np.arange(len(labels)) % self.n_folds]
            folds[_shuffle_within_labels(labels, rng)] = turns + 1
        return FoldAssignment(folds, StratifiedDetails(count_off_quota(folds, labels)))

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:
        rng, labels = np.random.default_rng(random_state), self._number_labels(y, X.shape[0])
        n = len(labels)
        if self.separator is not None and y is not None:
            shares = np.array([size / n, 1 - size / n])
            return np.asarray(stratify_label_sets(y, self.separator, shares, groups, rng) == 0)
        if groups is not None:
            targets = np.bincount(labels) * size / n
            return choose_groups(groups, labels, targets, rng.permutation(int(groups.max()) + 1))
        steps = (np.arange(n + 1) * size + rng.integers(n)) // n  # rises by 1 at `size` of the n rows, evenly spaced
        chosen = np.zeros(n, dtype=bool)
        chosen[_shuffle_within_labels(labels, rng)] = np.diff(steps) > 0
        return chosen

    def _number_labels(self, y: Array | None, n: int) -> Array:
        if y is None:
            raise AssayError(f"The {self.name} split needs a label for every row ({n} rows, no labels).")
        return number_labels(y)[1]


def count_off_quota(folds: Array, labels: Array) -> int:
    """Count the rows above the ceiling of their label's share of a fold.

    >>> count_off_quota(np.array([1, 1, 1, 2]), np.array([0, 0, 0, 0]))
    1
    """
    table = np.zeros((labels.max() + 1, folds.max()), dtype=np.int64)
    np.add.at(table, (labels, folds - 1), 1)
    ceilings = -(-table.sum(axis=1, keepdims=True) // table.shape[1])
    return int(np.maximum(table - ceilings, 0).sum())


def _shuffle_within_labels(labels: Array, rng: np.random.Generator) -> Array:
    return np.lexsort([rng.permutation(len(labels)), labels])
