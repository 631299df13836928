"""The length split: test on the longest texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.splits.base import HoldoutSplitter
from assay.splits.cutting import cut_between_values
from assay.splits.words import lengths_of


@dataclass(frozen=True, kw_only=True)
class LengthSplit(HoldoutSplitter):
    """Test on the longest texts, counted in words; every test text is longer than any training text.

    A model trained on short texts must extrapolate to long ones, which a random split never asks of it (paper 004).
    Equal lengths stay on one side, so the size is the nearest one possible; the dev set holds the next longest.

    >>> [fold.test.tolist() for fold in LengthSplit(test_size=0.3).split(["one two three", "one", "one two"])]
    [[0]]
    """

    name: ClassVar[str] = "length"
    draws: ClassVar[bool] = False

    tokenizer: str = "words"

    def represent(self, X: Any) -> np.ndarray:
        """Return the number of words of each text."""
        return lengths_of(X, self.tokenizer, self.name)

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:  # noqa: ARG002
        return cut_between_values(X, size, groups, self.name)
