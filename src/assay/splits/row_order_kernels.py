"""Compiled: hashes of the rows of a dense matrix."""

from __future__ import annotations

import numpy as np
from numba import njit

from assay.base.arrays import Array


@njit(cache=True, nogil=True)
def hash_rows(X: Array, column_bits: Array) -> Array:
    """Sum a hash of value and column over each row; zeros add nothing, so that a sparse matrix has the same hashes."""
    n, d = X.shape
    hashes = np.zeros(n, np.uint64)
    values = np.empty(d)
    bits = values.view(np.uint64)
    for i in range(n):
        values[:] = X[i]
        total = np.uint64(0)
        for f in range(d):
            mixed = bits[f] ^ column_bits[f]
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            total += mixed if values[f] != 0 else np.uint64(0)
        hashes[i] = total
    return hashes
