"""The rare-words split: test on the texts that hold the rarest words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.splits.base import HoldoutSplitter
from assay.splits.items import SplitItems
from assay.splits.methods.thresholds import choose_highest
from assay.splits.registry import SPLITS

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@SPLITS.add("rare-words")
@dataclass(frozen=True, kw_only=True)
class RareWordsSplit(HoldoutSplitter):
    """Go through the words from the rarest up, and test on every text that holds one, until the size is reached.

    Words of equal count come in random order: about half of all texts hold a word that no other text has, so which of
    them are drawn is chance (Søgaard et al. 2021). The size is the closest one possible.

    >>> [fold.test.tolist() for fold in RareWordsSplit(test_size=0.3).split(["a b", "b a", "a c"])]
    [[2]]
    """

    tokenizer: str = "words"

    def represent(self, items: SplitItems) -> Matrix:
        """Return the word counts of each text."""
        return items.count_words(self.tokenizer, self.name)

    def _choose(self, X: Matrix, size: int, y: object, groups: Array | None, random_state: int) -> Array:  # noqa: ARG002
        ranks = rank_texts(X, np.random.default_rng(random_state))
        if groups is not None:
            first_ranks = np.full(int(groups.max()) + 1, X.shape[1])
            np.minimum.at(first_ranks, groups, ranks)
            ranks = first_ranks[groups]
        return choose_highest(-ranks, size, groups, self.name)


def rank_texts(counts: csr_matrix, rng: np.random.Generator) -> Array:
    """Return the rank of the rarest word of each text, rarest first; texts without words come last."""
    n_words = counts.shape[1]
    totals = np.asarray(counts.sum(axis=0)).ravel()
    word_ranks = np.empty(n_words, dtype=np.int64)
    word_ranks[np.lexsort([rng.permutation(n_words), totals])] = np.arange(n_words)
    ranks = np.full(counts.shape[0], n_words, dtype=np.int64)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    np.minimum.at(ranks, rows, word_ranks[counts.indices])
    return ranks
