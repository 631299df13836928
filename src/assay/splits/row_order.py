"""An order of rows that depends on their content and not on the file, so that shuffling a file changes no split."""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import sparse

from assay.base.arrays import Array, Matrix, Values


def sort_by_content(X: Matrix, y: Values | None = None, groups: Values | None = None) -> Array:
    """Return the order of the rows by text or numbers, then label, then group; equal rows keep file order.

    >>> sort_by_content(np.array(["b", "a", "c"], dtype=object)).tolist()
    [1, 0, 2]
    """
    keys = [_rank_strings(values) for values in (groups, y) if values is not None]
    return np.lexsort([*keys, _hash_rows(X)])


def _hash_rows(X: Matrix) -> Array:
    if sparse.issparse(X):
        return _hash_sparse(X)
    if X.dtype == object:
        return _rank_strings(X)
    return _hash_dense(X.reshape(len(X), -1))


def _rank_strings(values: Values) -> Array:
    return pl.Series(write_strings(values), dtype=pl.String).rank("dense").to_numpy()


def write_strings(values: Values) -> list[str]:
    """Return the values as strings; each distinct integer is written once.

    >>> write_strings(np.array([1, "a", None], dtype=object))
    ['1', 'a', 'None']
    """
    rows = list(values)
    types = set(map(type, rows))
    if types == {str}:
        return rows
    if types == {int}:  # other types have values that are equal and written differently: 0.0 and -0.0
        names = {value: str(value) for value in set(rows)}
        return [names[value] for value in rows]
    return [value if isinstance(value, str) else str(value) for value in rows]


def _hash_dense(X: Array) -> Array:
    from assay.splits.row_order_kernels import hash_rows

    if X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    return np.asarray(hash_rows(np.ascontiguousarray(X), _draw_column_bits(X.shape[1])))


def _hash_sparse(X: sparse.csr_matrix) -> Array:
    from assay.splits.row_order_kernels import hash_sparse_rows

    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return np.asarray(hash_sparse_rows(X.data, X.indices, X.indptr, _draw_column_bits(X.shape[1])))


def _draw_column_bits(n: int) -> Array:
    return np.random.Generator(np.random.PCG64(0)).integers(0, 2**63, size=n, dtype=np.uint64)
