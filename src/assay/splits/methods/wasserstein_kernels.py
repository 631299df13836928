"""Compiled: distances of rows, each taken as a sample of numbers, to one of them."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def measure_dense(X: Array, centre: Array) -> Array:
    """Return mean |x − centre| of rows whose values are sorted."""
    n, d = X.shape
    distances = np.empty(n)
    for i in range(n):
        total = 0.0
        for f in range(d):
            total += abs(X[i, f] - centre[f])
        distances[i] = total / d
    return distances


@compile_loop
def sort_sparse_rows(data: Array, indptr: Array) -> None:
    """Sort the stored values of every CSR row in place; their columns no longer matter."""
    for i in range(len(indptr) - 1):
        a, b = indptr[i], indptr[i + 1]
        if b - a > 32:
            data[a:b] = np.sort(data[a:b])
            continue
        for t in range(a + 1, b):
            value = data[t]
            place = t
            while place > a and data[place - 1] > value:
                data[place] = data[place - 1]
                place -= 1
            data[place] = value


@compile_loop
def sum_one_sign(row: Array, centre: Array, sign: int) -> float:
    """Sum the differences of the values above 0 (sign 1) or below 0 (sign −1), outermost first, padded with 0."""
    n, m = len(row), len(centre)
    total = 0.0
    t = 0
    while True:
        u = (row[n - 1 - t] if sign > 0 else -row[t]) if t < n else 0.0
        v = (centre[m - 1 - t] if sign > 0 else -centre[t]) if t < m else 0.0
        if u <= 0 and v <= 0:
            return total
        total += abs(max(u, 0.0) - max(v, 0.0))
        t += 1


@compile_loop
def measure_sparse(data: Array, indptr: Array, width: int, centre: Array) -> Array:
    """Return what `measure_dense` would, without the zeros: |a − b| is |a⁺ − b⁺| + |a⁻ − b⁻|, place by place."""
    distances = np.empty(len(indptr) - 1)
    for i in range(len(distances)):
        row = data[indptr[i] : indptr[i + 1]]
        distances[i] = (sum_one_sign(row, centre, 1) + sum_one_sign(row, centre, -1)) / width
    return distances
