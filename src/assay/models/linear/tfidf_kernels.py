"""Loops over the columns of n-gram counts: document frequencies, TF-IDF weights, and comparisons of two sides."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.loops import compile_loop

Ints = NDArray[np.int32]


class Weights(NamedTuple):
    """A matrix column by column (CSC)."""

    ends: NDArray[np.int64]
    rows: Ints
    values: NDArray[np.float64]


@compile_loop
def count_documents(ends: Ints, rows: Ints, multiplicity: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum up the multiplicity of the rows of each column."""
    counts = np.zeros(ends.size - 1, np.int64)
    for column in range(counts.size):
        total = 0
        for at in range(ends[column], ends[column + 1]):
            total += multiplicity[rows[at]]
        counts[column] = total
    return counts


@compile_loop
def weigh_columns(
    ends: Ints,
    rows: Ints,
    counts: Ints,
    columns: NDArray[np.int64],
    idf: NDArray[np.float64],
    places: Ints,
    n_rows: int,
) -> Weights:
    """Return (1 + ln count) × idf of some columns and rows, each row scaled to length 1.

    `places` says which row of the result a row becomes, -1 for none.
    """
    capacity = np.int64(0)
    for column in columns:
        capacity += ends[column + 1] - ends[column]
    out_ends, out_rows = np.zeros(columns.size + 1, np.int64), np.empty(capacity, np.int32)
    values, lengths = np.empty(capacity), np.zeros(n_rows)
    logarithms = np.array([1 + math.log(max(count, 1)) for count in range(256)])
    filled = 0
    for number in range(columns.size):
        for at in range(ends[columns[number]], ends[columns[number] + 1]):
            place = places[rows[at]]
            if place >= 0:
                count = counts[at]
                value = (logarithms[count] if count < 256 else 1 + math.log(count)) * idf[number]
                out_rows[filled], values[filled] = place, value
                lengths[place] += value * value
                filled += 1
        out_ends[number + 1] = filled
    lengths = np.sqrt(lengths)
    for at in range(filled):
        values[at] /= lengths[out_rows[at]]
    return Weights(out_ends, out_rows[:filled], values[:filled])


@compile_loop
def compare_sides(left: Weights, right: Weights, n_rows: int) -> tuple[Weights, Weights, NDArray[np.float64]]:
    """Return the products and the absolute differences of two matrices, and the sums of the products by row.

    Rows must ascend within the columns of both.
    """
    n_columns = left.ends.size - 1
    shared_ends, difference_ends = np.zeros(n_columns + 1, np.int64), np.zeros(n_columns + 1, np.int64)
    capacity = min(left.rows.size, right.rows.size)
    shared_rows, shared_values = np.empty(capacity, np.int32), np.empty(capacity)
    capacity = left.rows.size + right.rows.size
    difference_rows, difference_values = np.empty(capacity, np.int32), np.empty(capacity)
    cosines = np.zeros(n_rows)
    n_shared = n_different = 0
    for column in range(n_columns):
        a, b = left.ends[column], right.ends[column]
        a_end, b_end = left.ends[column + 1], right.ends[column + 1]
        while a < a_end or b < b_end:
            row_a = left.rows[a] if a < a_end else n_rows
            row_b = right.rows[b] if b < b_end else n_rows
            row = min(row_a, row_b)
            value_a = left.values[a] if row_a == row else 0.0
            value_b = right.values[b] if row_b == row else 0.0
            if row_a == row_b:
                product = value_a * value_b
                shared_rows[n_shared], shared_values[n_shared] = row, product
                cosines[row] += product
                n_shared += 1
            difference_rows[n_different], difference_values[n_different] = row, abs(value_a - value_b)
            n_different += 1
            a += row_a == row
            b += row_b == row
        shared_ends[column + 1], difference_ends[column + 1] = n_shared, n_different
    shared = Weights(shared_ends, shared_rows[:n_shared], shared_values[:n_shared])
    different = Weights(difference_ends, difference_rows[:n_different], difference_values[:n_different])
    return shared, different, cosines
