"""Compiled: hashes of the rows of a matrix, the same for dense and sparse."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop(inline="always")
def mix_bits(bits: np.uint64) -> np.uint64:
    """Spread the bits of a 64-bit number, as the finaliser of SplitMix64 does."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)


@compile_loop
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
            mixed = mix_bits(bits[f] ^ column_bits[f])
            total += mixed if values[f] != 0 else np.uint64(0)
        hashes[i] = total
    return hashes


@compile_loop
def hash_sparse_rows(data: Array, indices: Array, indptr: Array, column_bits: Array) -> Array:
    """Return what `hash_rows` would for a CSR matrix in which no column occurs twice in a row."""
    hashes = np.zeros(len(indptr) - 1, np.uint64)
    values = np.empty(1)
    bits = values.view(np.uint64)
    for i in range(len(hashes)):
        total = np.uint64(0)
        for entry in range(indptr[i], indptr[i + 1]):
            values[0] = data[entry]
            if values[0] != 0:
                total += mix_bits(bits[0] ^ column_bits[indices[entry]])
        hashes[i] = total
    return hashes
