"""The bootstrap split: a random test set, and a training set drawn with replacement from the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.splits.assignments import PartAssignment
from assay.splits.base import HoldoutSplitter, derive_seed
from assay.splits.methods.random import RandomSplit
from assay.splits.registry import SPLITS

_TRAIN_SEED = 2**32 - 1  # the repeat number that no test or dev set uses


@SPLITS.add("bootstrap")
@dataclass(frozen=True, kw_only=True)
class BootstrapSplit(HoldoutSplitter):
    """Resample the training set with replacement from what a random test set leaves (Søgaard et al. 2021).

    A row drawn three times occurs three times in `train`; in a folds file its weight is 3. Rows that are never drawn
    are unused, with weight 0. Rows of the test and dev sets have weight 1.

    >>> fold, = BootstrapSplit(test_size=0.25).split(["a", "b", "c", "d"])
    >>> len(fold.train), len(set(fold.train)) < 3
    (3, True)
    """

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:
        return RandomSplit(test_size=size)._choose(X, size, y, groups, random_state)  # noqa: SLF001, same draw

    def _draw(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> PartAssignment:
        assignment = super()._draw(X, y, groups, random_state)
        assert isinstance(assignment, PartAssignment)
        rest = np.flatnonzero(assignment.parts == "train")
        rng = np.random.default_rng(derive_seed(random_state, _TRAIN_SEED))
        weights, parts = np.ones(len(assignment), dtype=np.int64), assignment.parts.copy()
        weights[rest] = np.bincount(rng.integers(len(rest), size=len(rest)), minlength=len(rest))
        parts[weights == 0] = "unused"
        return replace(assignment, parts=parts, weights=weights)
