"""Loops over the entries of sparse rows: their products, and the largest values of dense rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.loops import compile_loop

Ends = NDArray[np.int64]
Places = NDArray[np.int32]
Floats = NDArray[np.float64]


@compile_loop
def multiply_rows(
    ends: Ends, columns: Places, values: Floats, other_ends: Ends, rows: Places, other_values: Floats, n_rows: int
) -> Floats:
    """Return the products of the rows of a matrix (CSR) with all rows of another (CSC), as a dense array."""
    products = np.zeros((ends.size - 1, n_rows))
    for row in range(ends.size - 1):
        for at in range(ends[row], ends[row + 1]):
            value, column = values[at], columns[at]
            for place in range(other_ends[column], other_ends[column + 1]):
                products[row, rows[place]] += value * other_values[place]
    return products


@compile_loop
def find_largest(scores: Floats, n: int) -> Ends:
    """Return the columns of the n largest scores of each row, the largest first, of equals the first."""
    largest = np.zeros((scores.shape[0], n), np.int64)
    for row in range(scores.shape[0]):
        filled = 0
        for column in range(scores.shape[1]):
            score = scores[row, column]
            if filled == n and score <= scores[row, largest[row, n - 1]]:
                continue
            place = min(filled, n - 1)
            while place > 0 and scores[row, largest[row, place - 1]] < score:
                largest[row, place] = largest[row, place - 1]
                place -= 1
            largest[row, place] = column
            filled = min(filled + 1, n)
    return largest
