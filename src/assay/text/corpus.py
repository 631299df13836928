"""Texts as word numbers: the input of every measure on words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from assay.base.arrays import Array
from assay.text.characters import word_letters
from assay.text.columns import release_memory, to_column
from assay.text.tokenization import NumberedWords, call_tokenizer, tokenize_column
from assay.text.tokenizers import Tokenizer, cased_words, find_tokenizer, words

BLOCK_WORDS = 10_000_000


@dataclass(frozen=True, eq=False)
class Corpus:
    """The words of some texts, numbered by first occurrence.

    Text i has the words `ids[offsets[i]:offsets[i + 1]]`; `vocabulary` spells them. Counts are computed once.

    >>> corpus = Corpus.from_texts(["The cat", "the dog", None])
    >>> corpus.ids.tolist(), corpus.offsets.tolist(), corpus.vocabulary
    ([0, 1, 0, 2], [0, 2, 4, 4], ['the', 'cat', 'dog'])
    """

    offsets: NDArray[np.int64]
    ids: NDArray[np.int32]
    vocabulary: list[str]

    @classmethod
    def from_texts(cls, texts: object, tokenizer: str | Tokenizer = "words") -> Corpus:
        """Cut texts into words with a named tokenizer, or any function from a text to its words.

        A Corpus is returned as it is.
        """
        if isinstance(texts, Corpus):
            return texts
        column = texts if hasattr(texts, "to_physical") else to_column(texts)
        corpus = cls(*_number_words(column, find_tokenizer(tokenizer)))
        release_memory()
        return corpus

    @classmethod
    def from_sides(
        cls, texts_a: object, texts_b: object, tokenizer: str | Tokenizer = "words"
    ) -> tuple[Corpus, Corpus]:
        """Make two corpora that share one vocabulary.

        >>> a, b = Corpus.from_sides(["one two"], ["two three"])
        >>> a.ids.tolist(), b.ids.tolist(), a.vocabulary is b.vocabulary
        ([0, 1], [1, 2], True)
        """
        a, b = to_column(texts_a), to_column(texts_b)
        both = pa.chunked_array([*a.chunks, *b.chunks], a.type)
        offsets, ids, vocabulary = _number_words(both, find_tokenizer(tokenizer))
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
        """Count the occurrences of each word."""
        return self._frequencies

    def document_frequencies(self) -> NDArray[np.int64]:
        """Count the texts in which each word occurs."""
        return self._document_frequencies

    def counts(self) -> sparse.csr_array:
        """Count each word in each text: a sparse matrix, texts × vocabulary, columns sorted within a row.

        The matrix is the caller's own; its arrays are shared and read-only.
        """
        ends, columns, values = self._counts
        return sparse.csr_array((values, columns, ends), shape=(len(self), len(self.vocabulary)))

    def take(self, rows: ArrayLike | Sequence[int]) -> Corpus:
        """Return the corpus of some texts, by row numbers or a mask; the vocabulary is shared."""
        from assay.text.scanner.documents import gather_texts

        chosen = np.arange(len(self))[np.asarray(rows)] if len(np.atleast_1d(rows)) else np.zeros(0, np.int64)
        offsets = np.concatenate([[0], np.cumsum(self.lengths[chosen])])
        return Corpus(offsets, gather_texts(self.offsets, self.ids, chosen, offsets), self.vocabulary)

    @cached_property
    def _frequencies(self) -> NDArray[np.int64]:
        counts = np.zeros(len(self.vocabulary), np.int64)
        for start in range(0, len(self.ids), BLOCK_WORDS):  # numpy counts a copy in 64 bits
            counts += np.bincount(self.ids[start : start + BLOCK_WORDS], minlength=len(counts))
        return _protect(counts)

    @cached_property
    def _document_frequencies(self) -> NDArray[np.int64]:
        from assay.text.scanner.documents import count_documents

        return _protect(count_documents(self.offsets, self.ids, len(self.vocabulary)))

    @cached_property
    def _counts(self) -> tuple[Array, Array, Array]:
        from assay.text.scanner.documents import count_by_row

        ends, columns, values = count_by_row(self.offsets, self.ids)
        return _protect(ends), _protect(columns), _protect(values)


def _protect(array: Array) -> Array:
    """Make an array that is shared by all callers read-only."""
    array.flags.writeable = False
    return array


def _number_words(texts: object, tokenizer: Tokenizer) -> NumberedWords:
    if tokenizer is words or tokenizer is cased_words:
        return tokenize_column(texts, word_letters(lower=tokenizer is words))
    return call_tokenizer(to_column(texts), tokenizer)
