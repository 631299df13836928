"""The random-length split: test on texts of lengths never trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.splits.base import HoldoutSplitter
from assay.splits.grouping import filled, joined
from assay.splits.words import lengths_of


@dataclass(frozen=True, kw_only=True)
class RandomLengthSplit(HoldoutSplitter):
    """Test on whole length classes, in seeded order until the size is reached (paper 004).

    A class that would overshoot by more than it helps is passed over. Classes that share a group go together.

    >>> [fold.test.tolist() for fold in RandomLengthSplit(test_size=0.5).split(["a", "b", "a b", "b c"])]
    [[0, 1]]
    """

    name: ClassVar[str] = "random-length"

    tokenizer: str = "words"

    def represent(self, X: Any) -> np.ndarray:
        """Return the number of words of each text."""
        return lengths_of(X, self.tokenizer, self.name)

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:  # noqa: ARG002
        classes = joined(X, groups) if groups is not None else np.unique(X, return_inverse=True)[1]
        order = np.random.default_rng(random_state).permutation(int(classes.max()) + 1)
        return filled(classes, np.zeros(len(classes), dtype=np.int64), np.array([size]), order)
