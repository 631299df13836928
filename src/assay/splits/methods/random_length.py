"""The random-length split: test on texts of lengths that do not occur in training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array, Values
from assay.splits.base import HoldoutSplitter
from assay.splits.groups import choose_groups, merge_groups
from assay.splits.items import SplitItems
from assay.splits.registry import SPLITS


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

    def _choose(self, X: Values, size: int, y: object, groups: Values, random_state: int) -> Array:  # noqa: ARG002
        classes = merge_groups(X, groups) if groups is not None else np.unique(X, return_inverse=True)[1]
        order = np.random.default_rng(random_state).permutation(int(classes.max()) + 1)
        return choose_groups(classes, np.zeros(len(classes), dtype=np.int64), np.array([size]), order)
