"""The random split: what everybody uses, and the yardstick for all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.splits.base import Assignment, FoldSplitter
from assay.splits.grouping import dealt, filled


@dataclass(frozen=True, kw_only=True)
class RandomSplit(FoldSplitter):
    """Draw folds, or a test set, at random. Fold sizes differ by at most 1; groups go whole.

    >>> [fold.test.tolist() for fold in RandomSplit(test_size=2).split(["a", "b", "c", "d"])]
    [[0, 2]]
    """

    name: ClassVar[str] = "random"

    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:  # noqa: ARG002
        rng, n = np.random.default_rng(random_state), X.shape[0]
        if groups is not None:
            order = rng.permutation(int(groups.max()) + 1)
            return Assignment(dealt(groups, np.zeros(n, dtype=np.int64), self.n_splits, order))
        folds = np.empty(n, dtype=np.int64)
        folds[rng.permutation(n)] = np.arange(n) % self.n_splits + 1
        return Assignment(folds)

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:  # noqa: ARG002
        rng, n = np.random.default_rng(random_state), X.shape[0]
        if groups is not None:
            order = rng.permutation(int(groups.max()) + 1)
            return filled(groups, np.zeros(n, dtype=np.int64), np.array([size]), order)
        chosen = np.zeros(n, dtype=bool)
        chosen[rng.permutation(n)[:size]] = True
        return chosen
