"""How often each word occurs under each label, in tokens and in texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.text import Corpus


@dataclass(frozen=True)
class WordLabelCounts:
    """The observed (label, word) pairs, label by label: rows starts[c] to starts[c + 1] belong to label c."""

    starts: NDArray[np.int64]
    words: NDArray[np.int32]
    tokens: NDArray[np.int64]
    texts: NDArray[np.int64]
    n_words: int

    @property
    def labels(self) -> NDArray[np.int64]:
        """Return the label of each pair."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def sum_by_word(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add `tokens` or `texts` up over the labels."""
        return np.bincount(self.words, counts, minlength=self.n_words).astype(np.int64)

    def sum_by_label(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add `tokens` or `texts` up over the words."""
        return np.bincount(self.labels, counts, minlength=len(self.starts) - 1).astype(np.int64)


def count_words_by_label(corpus: Corpus, labels: NDArray[np.int64], n_labels: int) -> WordLabelCounts:
    """Count every observed pair of a label and a word; rows with a negative label are left out."""
    from assay.features._kernels import count_by_label

    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(n_labels + 1))
    n_words = len(corpus.vocabulary)
    starts, words, tokens, texts = count_by_label(corpus.offsets, corpus.ids, order, bounds, n_words)
    return WordLabelCounts(starts, words, tokens, texts, n_words)
