"""The random split: the usual one, and the reference for all others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.splits.assignments import FoldAssignment
from assay.splits.base import FoldSplitter
from assay.splits.groups import assign_groups, choose_groups
from assay.splits.registry import SPLITS


@SPLITS.add("random")
@dataclass(frozen=True, kw_only=True)
class RandomSplit(FoldSplitter):
    """Draw folds, or a test set, at random. Fold sizes differ by at most 1; groups stay whole.

    >>> [fold.test.tolist() for fold in RandomSplit(test_size=2).split(["a", "b", "c", "d"])]
    [[0, 2]]
    """

    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:  # noqa: ARG002
        rng, n = np.random.default_rng(random_state), X.shape[0]
        if groups is not None:
            order = rng.permutation(int(groups.max()) + 1)
            return FoldAssignment(assign_groups(groups, np.zeros(n, dtype=np.int64), self.n_folds, order))
        folds = np.empty(n, dtype=np.int64)
        folds[rng.permutation(n)] = np.arange(n) % self.n_folds + 1
        return FoldAssignment(folds)

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:  # noqa: ARG002
        rng, n = np.random.default_rng(random_state), X.shape[0]
        if groups is not None:
            order = rng.permutation(int(groups.max()) + 1)
            return choose_groups(groups, np.zeros(n, dtype=np.int64), np.array([size]), order)
        chosen = np.zeros(n, dtype=bool)
        chosen[rng.permutation(n)[:size]] = True
        return chosen
