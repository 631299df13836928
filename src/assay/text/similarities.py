"""Products of sparse rows, and the largest of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array

Matrix = Any  # sparse, texts × words


def multiply_rows(first: Matrix, second: Matrix) -> Array:
    """Return the products of the rows of two CSR matrices as a dense array.

    >>> from scipy import sparse
    >>> multiply_rows(sparse.csr_array([[1.0, 2.0]]), sparse.csr_array([[3.0, 0.0], [1.0, 1.0]])).tolist()
    [[3.0, 3.0]]
    """
    from assay.text.scanner.row_products import multiply_rows

    columns = second.T.tocsr()
    parts = [array for matrix in (first, columns) for array in (*_to_places(matrix), matrix.data)]
    return np.asarray(multiply_rows(*parts, second.shape[0]))


def find_largest(scores: Array, n: int) -> Array:
    """Return the columns of the n largest scores of each row, the largest first, of equals the first.

    >>> find_largest(np.array([[1.0, 3.0, 2.0, 3.0]]), 3).tolist()
    [[1, 3, 2]]
    """
    from assay.text.scanner.row_products import find_largest

    return np.asarray(find_largest(scores, min(n, scores.shape[1])))


def _to_places(matrix: Matrix) -> tuple[Array, Array]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32, copy=False)
