"""The length split: test on the longest texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.splits.base import HoldoutSplitter
from assay.splits.groups import choose_groups, merge_groups
from assay.splits.items import SplitItems
from assay.splits.methods.thresholds import choose_highest
from assay.splits.registry import SPLITS


@SPLITS.add("length")
@dataclass(frozen=True, kw_only=True)
class LengthSplit(HoldoutSplitter):
    """Test on the longest texts, counted in words; every test text is longer than any training text.

    A model trained on short texts must extrapolate to long ones, which a random split never requires (Søgaard et al.
    2021). Equal lengths stay on one side, so the size is the closest one possible; the dev set holds the next longest.

    >>> [fold.test.tolist() for fold in LengthSplit(test_size=0.3).split(["one two three", "one", "one two"])]
    [[0]]
    """

    is_random: ClassVar[bool] = False

    tokenizer: str = "words"

    def represent(self, items: SplitItems) -> Array:
        """Return the number of words of each text."""
        return items.measure_lengths(self.tokenizer, self.name)

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:  # noqa: ARG002
        return choose_highest(X, size, groups, self.name)


@SPLITS.add("random-length")
@dataclass(frozen=True, kw_only=True)
class RandomLengthSplit(HoldoutSplitter):
    """Test on all texts of some lengths, drawn in random order until the size is reached (Søgaard et al. 2021).

    A length that would overshoot by more than it helps is skipped. Lengths that share a group go together.

    >>> [fold.test.tolist() for fold in RandomLengthSplit(test_size=0.5).split(["a", "b", "a b", "b c"])]
    [[0, 1]]
    """

    tokenizer: str = "words"

    def represent(self, items: SplitItems) -> Array:
        """Return the number of words of each text."""
        return items.measure_lengths(self.tokenizer, self.name)

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:  # noqa: ARG002
        classes = merge_groups(X, groups) if groups is not None else np.unique(X, return_inverse=True)[1]
        order = np.random.default_rng(random_state).permutation(int(classes.max()) + 1)
        return choose_groups(classes, np.zeros(len(classes), dtype=np.int64), np.array([size]), order)
