"""The stratified split: every side has the label shares of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.errors import AssayError
from assay.splits.base import Assignment, FoldSplitter
from assay.splits.grouping import dealt, filled


@dataclass(frozen=True)
class StratifiedAssignment(Assignment):
    """Folds, and how many rows are above the ceiling of their (label, fold) share: 0 unless groups stayed whole."""

    n_off_quota: int


@dataclass(frozen=True, kw_only=True)
class StratifiedSplit(FoldSplitter):
    """Draw at random so that each label's share is the same everywhere.

    Every (label, fold) count is the floor or the ceiling of its share and fold sizes differ by at most 1, also for
    labels with one row. Rows without a label count as a label of their own. With groups, which go whole, the
    counts are as near as dealing the groups one by one brings them; `n_off_quota` tells by how many rows they are off.

    >>> StratifiedSplit(n_splits=2).assign(["a", "b", "c", "d"], ["x", "x", "y", "y"]).folds.tolist()
    [2, 1, 1, 2]
    """

    name: ClassVar[str] = "stratified"

    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:
        rng, labels = np.random.default_rng(random_state), label_codes(y, X.shape[0], self.name)
        if groups is not None:
            folds = dealt(groups, labels, self.n_splits, rng.permutation(int(groups.max()) + 1))
            return StratifiedAssignment(folds, off_quota(folds, labels))
        folds = np.empty(len(labels), dtype=np.int64)
        # Dealing out the rows sorted by label gives each label, and the whole, floor or ceiling a fold.
        folds[_by_label(labels, rng)] = rng.permutation(self.n_splits)[np.arange(len(labels)) % self.n_splits] + 1
        return StratifiedAssignment(folds, off_quota(folds, labels))

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:
        rng, labels = np.random.default_rng(random_state), label_codes(y, X.shape[0], self.name)
        n = len(labels)
        if groups is not None:
            targets = np.bincount(labels) * size / n
            return filled(groups, labels, targets, rng.permutation(int(groups.max()) + 1))
        steps = (np.arange(n + 1) * size + rng.integers(n)) // n  # rises by 1 at `size` of the n rows, evenly spread
        chosen = np.zeros(n, dtype=bool)
        chosen[_by_label(labels, rng)] = np.diff(steps) > 0
        return chosen


def label_codes(y: Any, n: int, who: str) -> np.ndarray:
    """Number the labels 0… in sorted order; rows without one are a label of their own."""
    if y is None:
        raise AssayError(f"The {who} split needs a label for every row ({n} rows, no labels).")
    return np.unique([str(label) for label in y], return_inverse=True)[1]


def off_quota(folds: np.ndarray, labels: np.ndarray) -> int:
    """Count the rows above the ceiling of a label's share of a fold.

    >>> off_quota(np.array([1, 1, 1, 2]), np.array([0, 0, 0, 0]))
    1
    """
    table = np.zeros((labels.max() + 1, folds.max()), dtype=np.int64)
    np.add.at(table, (labels, folds - 1), 1)
    ceilings = -(-table.sum(axis=1, keepdims=True) // table.shape[1])
    return int(np.maximum(table - ceilings, 0).sum())


def _by_label(labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.lexsort([rng.permutation(len(labels)), labels])
