"""Texts as integers: what every measure on words works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from assay.text.columns import column, release_memory
from assay.text.tokenizers import Tokenizer, cased_words, tokenizer_named, words
from assay.text.words import Numbered, scan_words


@dataclass(frozen=True, eq=False)
class Corpus:
    """The words of some texts, numbered in the order they first come.

    Text i has the words `ids[offsets[i]:offsets[i + 1]]`; `vocabulary` spells them.

    >>> corpus = Corpus.from_texts(["The cat", "the dog", None])
    >>> corpus.ids.tolist(), corpus.offsets.tolist(), corpus.vocabulary
    ([0, 1, 0, 2], [0, 2, 4, 4], ['the', 'cat', 'dog'])
    """

    offsets: NDArray[np.int64]
    ids: NDArray[np.int32]
    vocabulary: list[str]

    @classmethod
    def from_texts(cls, texts: Any, tokenizer: str | Tokenizer = "words") -> Corpus:
        """Cut texts into words by a named tokeniser, or any function from a text to its words."""
        found = cls(*_numbered(column(texts), tokenizer_named(tokenizer)))
        release_memory()
        return found

    @classmethod
    def from_sides(cls, texts_a: Any, texts_b: Any, tokenizer: str | Tokenizer = "words") -> tuple[Corpus, Corpus]:
        """Make two corpora that share one vocabulary.

        >>> a, b = Corpus.from_sides(["one two"], ["two three"])
        >>> a.ids.tolist(), b.ids.tolist(), a.vocabulary is b.vocabulary
        ([0, 1], [1, 2], True)
        """
        a, b = column(texts_a), column(texts_b)
        offsets, ids, vocabulary = _numbered(
            pa.chunked_array([*a.chunks, *b.chunks], a.type), tokenizer_named(tokenizer)
        )
        middle = offsets[len(a)]
        first = cls(offsets[: len(a) + 1], ids[:middle], vocabulary)
        return first, cls(offsets[len(a) :] - middle, ids[middle:], vocabulary)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> list[str]:
        """Spell the words of one text."""
        row = range(len(self))[row]
        return [self.vocabulary[word] for word in self.ids[self.offsets[row] : self.offsets[row + 1]]]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each text."""
        return np.diff(self.offsets)

    def frequencies(self) -> NDArray[np.int64]:
        """Count how often each word comes."""
        return np.bincount(self.ids, minlength=len(self.vocabulary))

    def document_frequencies(self) -> NDArray[np.int64]:
        """Count the texts each word comes in."""
        from assay.text.corpus_kernels import document_frequencies

        return document_frequencies(self.offsets, self.ids, len(self.vocabulary))

    def take(self, rows: ArrayLike | Sequence[int]) -> Corpus:
        """Return the corpus of some texts, by row numbers or a mask; the vocabulary stays whole."""
        from assay.text.corpus_kernels import gathered

        chosen = np.arange(len(self))[np.asarray(rows)] if len(np.atleast_1d(rows)) else np.zeros(0, np.int64)
        offsets = np.concatenate([[0], np.cumsum(self.lengths[chosen])])
        return Corpus(offsets, gathered(self.offsets, self.ids, chosen, offsets), self.vocabulary)

    def counts(self) -> sparse.csr_array:
        """Count each word in each text: a sparse matrix, texts × vocabulary, columns sorted within a row."""
        from assay.text.corpus_kernels import row_counts

        indptr, indices, values = row_counts(self.offsets, self.ids)
        return sparse.csr_array((values, indices, indptr), shape=(len(self), len(self.vocabulary)))


def _numbered(texts: pa.ChunkedArray, tokenizer: Tokenizer) -> Numbered:
    if tokenizer is words or tokenizer is cased_words:
        return scan_words(texts, lower=tokenizer is words)
    return _called(texts, tokenizer)


def _called(texts: pa.ChunkedArray, tokenizer: Tokenizer) -> Numbered:
    """Call the tokeniser once for each distinct text."""
    distinct = pa.chunked_array([texts.combine_chunks()]).dictionary_encode().combine_chunks()
    distinct = distinct.chunk(0) if isinstance(distinct, pa.ChunkedArray) else distinct
    numbers: dict[str, int] = {}
    parts = [
        np.array([numbers.setdefault(word, len(numbers)) for word in tokenizer(text)], np.int32)
        for text in distinct.dictionary.to_pylist()
    ]
    rows = distinct.indices.to_numpy()
    offsets = np.concatenate([[0], np.cumsum([len(parts[row]) for row in rows], dtype=np.int64)])
    ids = np.concatenate([np.zeros(0, np.int32), *(parts[row] for row in rows)])
    return offsets, ids, list(numbers)
