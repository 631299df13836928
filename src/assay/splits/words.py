"""Words as splitters count them: of texts, or of a ready matrix of word counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from assay.base.errors import AssayError
from assay.splits.rows import as_rows, is_texts


def counts_of(X: Any, tokenizer: str, who: str) -> Any:
    """Return the word counts of each row as CSR; a matrix must hold counts already."""
    rows = as_rows(X)
    if is_texts(rows):
        return corpus_of(rows, tokenizer).counts()
    matrix = _counts(rows, who)
    matrix.eliminate_zeros()
    return matrix


def lengths_of(X: Any, tokenizer: str, who: str) -> np.ndarray:
    """Return the number of words of each row; a matrix must hold counts.

    >>> lengths_of(np.array([[2, 1], [0, 1]]), "words", "length").tolist()
    [3, 1]
    """
    rows = as_rows(X)
    if is_texts(rows):
        return np.asarray(corpus_of(rows, tokenizer).lengths)
    return np.asarray(_counts(rows, who).sum(axis=1)).ravel().astype(np.int64)


def corpus_of(texts: Any, tokenizer: str) -> Any:
    """Return the texts as words."""
    from assay.text import Corpus

    return Corpus.from_texts(list(texts), tokenizer)


def _counts(rows: Any, who: str) -> Any:
    values: np.ndarray = rows.data if hasattr(rows, "indptr") else rows
    if len(rows.shape) != 2 or values.dtype == object or (values < 0).any() or (values != np.floor(values)).any():
        raise AssayError(f"The {who} split counts words: X must be texts or a matrix of word counts.")
    return sparse.csr_matrix(rows, copy=True)
