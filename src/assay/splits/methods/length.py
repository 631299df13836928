"""The length split: test on the longest texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from assay.base.arrays import Array
from assay.splits.base import HoldoutSplitter
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

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> Array:  # noqa: ARG002
        return choose_highest(X, size, groups, self.name)
