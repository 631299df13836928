"""The bootstrap split: a random test set, and a training set drawn with replacement from the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.splits.base import HoldoutSplitter, Parts, seed_of
from assay.splits.random import RandomSplit


@dataclass(frozen=True, kw_only=True)
class BootstrapSplit(HoldoutSplitter):
    """Resample the training set with replacement from what the random test set leaves (paper 004).

    A row drawn three times stands three times in `train`; in a folds file its weight is 3. Rows never drawn are
    unused, with weight 0. Rows of the test and dev set have weight 1.

    >>> fold, = BootstrapSplit(test_size=0.25).split(["a", "b", "c", "d"])
    >>> len(fold.train), len(set(fold.train)) < 3
    (3, True)
    """

    name: ClassVar[str] = "bootstrap"

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:
        return RandomSplit(test_size=size)._choose(X, size, y, groups, random_state)  # noqa: SLF001, same draw

    def _draw(self, X: Any, y: Any, groups: Any, random_state: int) -> Parts:
        drawn = super()._draw(X, y, groups, random_state)
        assert isinstance(drawn, Parts)
        rest, rng = np.flatnonzero(drawn.parts == "train"), np.random.default_rng(seed_of(random_state, -1 % 2**32))
        weights, parts = np.ones(len(drawn.parts), dtype=np.int64), drawn.parts.copy()
        weights[rest] = np.bincount(rng.integers(len(rest), size=len(rest)), minlength=len(rest))
        parts[weights == 0] = "unused"
        return replace(drawn, parts=parts, weights=weights)
