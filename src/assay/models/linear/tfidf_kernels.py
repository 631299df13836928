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
    """Return the products and the minima of two matrices where both have entries, and the sums of the products by row.

    Rows must ascend within the columns of both.
    """
    n_columns = left.ends.size - 1
    capacity = min(left.rows.size, right.rows.size)
    ends, rows = np.zeros(n_columns + 1, np.int64), np.empty(capacity, np.int32)
    products, minima, cosines = np.empty(capacity), np.empty(capacity), np.zeros(n_rows)
    filled = 0
    for column in range(n_columns):
        a, b = left.ends[column], right.ends[column]
        while a < left.ends[column + 1] and b < right.ends[column + 1]:
            row_a, row_b = left.rows[a], right.rows[b]
            if row_a == row_b:
                product = left.values[a] * right.values[b]
                rows[filled], products[filled], minima[filled] = row_a, product, min(left.values[a], right.values[b])
                cosines[row_a] += product
                filled += 1
            a += row_a <= row_b
            b += row_b <= row_a
        ends[column + 1] = filled
    return Weights(ends, rows[:filled], products[:filled]), Weights(ends, rows[:filled], minima[:filled]), cosines
