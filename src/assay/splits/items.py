"""The rows that splitters see: texts, words or a matrix, and what has already been computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypedDict

import numpy as np
from scipy import sparse

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import AssayError

if TYPE_CHECKING:
    import polars as pl

    from assay.text import Corpus
    from assay.text.encoders.base import Encoder


class Ready(TypedDict, total=False):
    """Values that are already computed from the rows: their words and vectors."""

    corpus: Corpus | None
    vectors: Matrix | None


Rows: TypeAlias = "Values | Matrix | Corpus | pl.Series"  # what splitters take: texts, a `Corpus`, or a matrix


@dataclass(frozen=True, eq=False)
class SplitItems:
    """Rows as an array of texts or as a matrix, with the words and the vectors of the texts if they are ready."""

    rows: Matrix
    corpus: Corpus | None = None
    vectors: Matrix | None = None

    @classmethod
    def from_input(cls, X: Rows, corpus: Corpus | None = None, vectors: Matrix | None = None) -> SplitItems:
        """Wrap texts, a `Corpus` or a matrix; `corpus` and `vectors` belong to the same rows."""
        from assay.text import Corpus

        if isinstance(X, Corpus):
            corpus, X = X, [" ".join(X[row]) for row in range(len(X))]
        items = cls(convert_rows(X), corpus, None if vectors is None else convert_rows(vectors))
        if corpus is not None and len(corpus) != len(items):
            raise AssayError(f"{len(items)} rows, but {len(corpus)} texts in the corpus.")
        if items.vectors is not None and items.vectors.shape[0] != len(items):
            raise AssayError(f"{len(items)} rows, but {items.vectors.shape[0]} vectors.")
        return items

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def take(self, rows: Array) -> SplitItems:
        """Return some rows, in the order given."""
        corpus = None if self.corpus is None else self.corpus.take(rows)
        return SplitItems(
            take_rows(self.rows, rows), corpus, None if self.vectors is None else take_rows(self.vectors, rows)
        )

    def measure_lengths(self, tokenizer: str, method: str) -> Array:
        """Return the number of words of each row; a matrix must hold word counts.

        >>> SplitItems.from_input(np.array([[2, 1], [0, 1]])).measure_lengths("words", "length").tolist()
        [3, 1]
        """
        if self.corpus is None and not is_texts(self.rows):
            return np.asarray(_check_counts(self.rows, method).sum(axis=1)).ravel().astype(np.int64)
        return np.asarray((self.corpus or self._cut_into_words(tokenizer)).lengths)

    def count_words(self, tokenizer: str, method: str) -> sparse.csr_matrix:
        """Return the word counts of each row as CSR, words in the order of their first occurrence.

        A matrix must hold word counts already.
        """
        if self.corpus is None and not is_texts(self.rows):
            matrix = _check_counts(self.rows, method)
            matrix.eliminate_zeros()
            return matrix
        words = self._cut_into_words(tokenizer) if self.corpus is None else _keep_used_words(self.corpus)
        return words.counts()

    def encode(self, encoder: str | Encoder, random_state: int) -> Matrix:
        """Return one vector per row: those that are ready, else a matrix as it is, else texts through an encoder.

        >>> SplitItems.from_input([[1.0, 2.0], [3.0, 4.0]]).encode("tfidf", 0).shape
        (2, 2)
        """
        if self.vectors is not None:
            return self.vectors
        if not is_texts(self.rows):
            if len(self.rows.shape) != 2:
                raise AssayError("X must be texts, or a matrix of numbers with one row per item.")
            return self.rows
        if encoder == "counts" and self.corpus is not None:
            return _keep_used_words(self.corpus, alphabetical=True).counts()
        from assay.text import make_encoder

        seeded = {"random_state": random_state} if encoder == "tfidf" else {}
        takes_words = encoder == "tfidf" and self.corpus is not None
        return make_encoder(encoder, **seeded).fit_transform(self.corpus if takes_words else list(self.rows))

    def _cut_into_words(self, tokenizer: str) -> Corpus:
        from assay.text import Corpus

        return Corpus.from_texts(list(self.rows), tokenizer)


def take_rows(X: Matrix, rows: Array) -> Matrix:
    """Return some rows of an array or CSR matrix; `take` copies rows of an array faster than an index does."""
    return X[rows] if sparse.issparse(X) else X.take(rows, axis=0)


def convert_rows(X: Values | Matrix | pl.Series) -> Matrix:
    """Return X as an array or CSR matrix that row numbers can index; a list of texts becomes an array of objects.

    >>> convert_rows(["a", None]).tolist()
    ['a', '']
    """
    if sparse.issparse(X):
        return sparse.csr_matrix(X)
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] == 1 and X.dtype.kind in "OUS":
        X = X[:, 0]
    if hasattr(X, "to_numpy") and getattr(X, "ndim", len(getattr(X, "shape", (0,)))) == 2:
        X = X.to_numpy()
    if isinstance(X, np.ndarray) and X.dtype.kind in "fiub" and X.ndim > 1:
        return X
    values = X.to_list() if hasattr(X, "to_list") else X.tolist() if hasattr(X, "tolist") else list(X)
    if len(values) and isinstance(values[0], (list, tuple, np.ndarray)) and not isinstance(values[0][:1], str):
        return np.array(values)
    rows = np.empty(len(values), dtype=object)
    rows[:] = ["" if value is None else value for value in values]
    return rows


def is_texts(rows: Matrix) -> bool:
    """Return whether rows, as `convert_rows` returns them, are texts."""
    return (
        isinstance(rows, np.ndarray)
        and rows.dtype == object
        and rows.ndim == 1
        and all(isinstance(row, str) for row in rows)
    )


def _check_counts(rows: Matrix, method: str) -> sparse.csr_matrix:
    values = np.asarray(rows.data if sparse.issparse(rows) else rows)
    if len(rows.shape) != 2 or values.dtype == object or (values < 0).any() or (values != np.floor(values)).any():
        raise AssayError(f"The {method} split counts words: X must be texts or a matrix of word counts.")
    return sparse.csr_matrix(rows, copy=True)


def _keep_used_words(corpus: Corpus, *, alphabetical: bool = False) -> Corpus:
    """Number the words that occur again: in the order of their first occurrence, or of their spelling."""
    from assay.text import Corpus

    first = np.full(len(corpus.vocabulary), -1)
    first[corpus.ids[::-1]] = np.arange(len(corpus.ids))[::-1]  # the last assignment stays
    used = np.flatnonzero(first >= 0)
    if alphabetical:
        used = np.array(sorted(used.tolist(), key=corpus.vocabulary.__getitem__), dtype=np.int64)
    else:
        used = used[np.argsort(first[used])]
    numbers = np.zeros(len(corpus.vocabulary), dtype=np.int32)
    numbers[used] = np.arange(len(used), dtype=np.int32)
    return Corpus(corpus.offsets, numbers[corpus.ids], [corpus.vocabulary[word] for word in used.tolist()])
