"""The rare-words split: test on the texts that hold the rarest words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.splits.base import HoldoutSplitter
from assay.splits.cutting import cut_between_values
from assay.splits.words import counts_of


@dataclass(frozen=True, kw_only=True)
class RareWordsSplit(HoldoutSplitter):
    """Go through the words from the rarest up, and test on every text that holds one, until the size is reached.

    Words of one count come in seeded order: about half of all texts hold a word no other text has, so which of
    them are drawn is chance (paper 004). The size is the nearest one possible.

    >>> [fold.test.tolist() for fold in RareWordsSplit(test_size=0.3).split(["a b", "b a", "a c"])]
    [[2]]
    """

    name: ClassVar[str] = "rare-words"

    tokenizer: str = "words"

    def represent(self, X: Any) -> Any:
        """Return the word counts of each text."""
        return counts_of(X, self.tokenizer, self.name)

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:  # noqa: ARG002
        turns = first_turns(X, np.random.default_rng(random_state))
        if groups is not None:
            firsts = np.full(int(groups.max()) + 1, X.shape[1])
            np.minimum.at(firsts, groups, turns)
            turns = firsts[groups]
        return cut_between_values(-turns, size, groups, self.name)


def first_turns(counts: Any, rng: np.random.Generator) -> np.ndarray:
    """Return the turn at which each text is reached, words coming from the rarest up; texts without words last."""
    n_words = counts.shape[1]
    totals = np.asarray(counts.sum(axis=0)).ravel()
    turn_of_word = np.empty(n_words, dtype=np.int64)
    turn_of_word[np.lexsort([rng.permutation(n_words), totals])] = np.arange(n_words)
    turns = np.full(counts.shape[0], n_words, dtype=np.int64)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    np.minimum.at(turns, rows, turn_of_word[counts.indices])
    return turns
