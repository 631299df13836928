"""Rows as splitters see them: texts or a matrix, in an order that the file does not decide."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from assay.base.errors import AssayError

_BLOCK = 1 << 11  # rows hashed at a time, to keep the copy in the cache


def as_rows(X: Any) -> Any:
    """Return X as an array or CSR matrix that row numbers can index; a list of texts becomes an array of objects.

    >>> as_rows(["a", None]).tolist()
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


def is_texts(X: Any) -> bool:
    """Tell whether rows, as `as_rows` returns them, are texts."""
    return isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 1 and all(isinstance(x, str) for x in X)


def texts_of(X: Any, who: str) -> list[str]:
    """Return the rows as texts, or say that this splitter needs texts."""
    rows = as_rows(X)
    if not is_texts(rows):
        raise AssayError(f"The {who} split looks at words, so X must be texts, not a {type(X).__name__} of numbers.")
    return list(rows)


def vectors(X: Any, encoder: Any = "tfidf", random_state: int = 0) -> Any:
    """Return one vector a row: texts through an encoder, a ready dense or sparse matrix as it is.

    >>> vectors([[1.0, 2.0], [3.0, 4.0]]).shape
    (2, 2)
    """
    rows = as_rows(X)
    if not is_texts(rows):
        if len(rows.shape) != 2:
            raise AssayError("X must be texts, or a matrix of numbers with one row an item.")
        return rows
    from assay.text import make_encoder

    seeded = {"random_state": random_state} if encoder == "tfidf" else {}
    return make_encoder(encoder, **seeded).fit_transform(list(rows))


def canonical_order(X: Any, y: Any = None, groups: Any = None) -> np.ndarray:
    """Order the rows by what is in them: text or numbers, then label, then group; equal rows keep file order.

    Everything drawn is drawn on this order, so shuffling a file does not change which texts are drawn.

    >>> canonical_order(np.array(["b", "a", "c"], dtype=object)).tolist()
    [1, 0, 2]
    """
    keys = [_codes(part) for part in (groups, y) if part is not None]
    return np.lexsort([*keys, _content_keys(X)])


def _content_keys(X: Any) -> np.ndarray:
    if sparse.issparse(X):
        return _sparse_keys(X)
    if X.dtype != object:
        return _dense_keys(X.reshape(len(X), -1))
    return _codes(X)


def _codes(values: Any) -> np.ndarray:
    import polars as pl

    told = [value if isinstance(value, str) else str(value) for value in values]
    return pl.Series(told, dtype=pl.String).rank("dense").to_numpy()


def _dense_keys(X: np.ndarray) -> np.ndarray:
    factors = _factors(X.shape[1])
    keys = np.empty(len(X), dtype=np.uint64)
    for start in range(0, len(X), _BLOCK):
        block = np.ascontiguousarray(X[start : start + _BLOCK], dtype=np.float64)
        mixed = _mixed(block.view(np.uint64) ^ factors)  # zeros count for nothing, as in a sparse matrix
        keys[start : start + _BLOCK] = np.where(block == 0, np.uint64(0), mixed).sum(axis=1, dtype=np.uint64)
    return keys


def _sparse_keys(X: Any) -> np.ndarray:
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    bits = X.data.astype(np.float64).view(np.uint64)
    mixed = _mixed(bits ^ _factors(X.shape[1])[X.indices])
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    keys: np.ndarray = sums[X.indptr[1:]] - sums[X.indptr[:-1]]
    return keys


def _factors(n: int) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(0)).integers(0, 2**63, size=n, dtype=np.uint64)


def _mixed(bits: np.ndarray) -> np.ndarray:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed: np.ndarray = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed
