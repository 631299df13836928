"""Word counts: one column per word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.base.errors import UsageError
from assay.text.corpus import Corpus
from assay.text.encoders.base import ENCODERS, Encoder
from assay.text.tokenizers import Tokenizer


@ENCODERS.add("counts")
@dataclass(kw_only=True, eq=False)
class CountsEncoder(Encoder):
    """Occurrences of each word, sparse; columns are the words of `fit` in alphabetical order.

    >>> CountsEncoder().fit_transform(["b a b", "a c"]).toarray().tolist()
    [[1, 2, 0], [1, 0, 1]]
    """

    tokenizer: str | Tokenizer = "words"

    @property
    def vocabulary(self) -> list[str]:
        """The words of the columns."""
        words: list[str] = self._learned["vocabulary"]
        return words

    def _learn(self, texts: object) -> sparse.csr_array:
        if self._has_projection:
            raise UsageError("Word counts are sparse and cannot be standardised or projected.", hint="Use 'tfidf'.")
        corpus = Corpus.from_texts(texts, self.tokenizer)
        occurring = np.flatnonzero(corpus.frequencies())  # of a corpus of some rows, not every word occurs
        self._learned["vocabulary"] = sorted(corpus.vocabulary[word] for word in occurring)
        return count_vocabulary(corpus, self.vocabulary)

    def _encode(self, texts: object) -> sparse.csr_array:
        return count_vocabulary(Corpus.from_texts(texts, self.tokenizer), self.vocabulary)


def count_vocabulary(corpus: Corpus, vocabulary: list[str]) -> sparse.csr_array:
    """Count the words of a vocabulary in each text; other words are left out."""
    columns = find_words(vocabulary, corpus.vocabulary)
    known = columns[corpus.ids] >= 0
    ends = np.concatenate([[0], np.cumsum(known)])[corpus.offsets]
    return Corpus(ends, columns[corpus.ids[known]], vocabulary).counts()


def find_words(vocabulary: list[str], words: list[str]) -> NDArray[np.int32]:
    """Return each word's place in a vocabulary, -1 if it is not in it."""
    places = {word: place for place, word in enumerate(vocabulary)}
    return np.array([places.get(word, -1) for word in words], np.int32)
