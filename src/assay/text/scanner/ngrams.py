"""Loops that number n-grams and count them by text. Every number is exact: nothing is compared by hash."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.text.scanner.shingles import count_bits

Ints = NDArray[np.int32]


class CountColumns(NamedTuple):
    """A matrix of counts column by column (CSC): column c has the entries from `ends[c]` to `ends[c + 1]`.

    Compiled functions are cached with this type under their line numbers: a new name needs new line numbers.
    """

    ends: NDArray[np.int64]
    rows: Ints
    counts: Ints


@compile_loop
def extend_ngrams(prefixes: Ints, lasts: Ints, n_prefixes: int, n_units: int) -> tuple[Ints, Ints, Ints]:
    """Number the distinct pairs of a prefix (-1 for none) and a last unit, position by position.

    Returns the number at each position (-1 for none), and the prefix and the last unit of each number. Numbers ascend
    with the prefix, then with the last unit. Positions are visited prefix by prefix, so that one array over the units
    tells which pairs have occurred already.
    """
    starts = np.zeros(n_prefixes + 1, np.int64)
    for prefix in prefixes:
        if prefix >= 0:
            starts[prefix + 1] += 1
    starts = np.cumsum(starts)
    positions, free = np.empty(starts[-1], np.int64), starts[:-1].copy()
    for position in range(prefixes.size):
        prefix = prefixes[position]
        if prefix >= 0:
            positions[free[prefix]] = position
            free[prefix] += 1
    numbers = np.full(prefixes.size, -1, np.int32)
    parents, units = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.int32)
    last_prefix, number_of = np.full(n_units, -1, np.int32), np.empty(n_units, np.int32)
    n_numbers = 0
    for prefix in range(n_prefixes):
        first = n_numbers
        for position in positions[starts[prefix] : starts[prefix + 1]]:
            unit = lasts[position]
            if last_prefix[unit] != prefix:
                last_prefix[unit] = prefix
                parents[n_numbers], units[n_numbers] = prefix, unit
                n_numbers += 1
        if n_numbers > first + 1:
            units[first:n_numbers].sort()
        for number in range(first, n_numbers):
            number_of[units[number]] = number
        for position in positions[starts[prefix] : starts[prefix + 1]]:
            numbers[position] = number_of[lasts[position]]
    return numbers, parents[:n_numbers].copy(), units[:n_numbers].copy()


@compile_loop
def count_by_column(offsets: NDArray[np.int64], ids: Ints, n_columns: int) -> CountColumns:
    """Count each id (-1 for none) in each text; rows ascend within a column."""
    ends = np.zeros(n_columns + 1, np.int64)
    last_row = np.full(n_columns, -1, np.int32)
    for row in range(offsets.size - 1):
        for number in ids[offsets[row] : offsets[row + 1]]:
            if number >= 0 and last_row[number] != row:
                last_row[number] = row
                ends[number + 1] += 1
    ends = np.cumsum(ends)
    rows, counts = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.int32)
    free = ends[:-1].copy()
    last_row[:] = -1
    for row in range(offsets.size - 1):
        for number in ids[offsets[row] : offsets[row + 1]]:
            if number < 0:
                continue
            if last_row[number] == row:
                counts[free[number] - 1] += 1
            else:
                last_row[number] = row
                rows[free[number]], counts[free[number]] = row, 1
                free[number] += 1
    return CountColumns(ends, rows, counts)


@compile_loop
def multiply_counts(texts_of_words: CountColumns, words_of_ngrams: CountColumns, n_rows: int) -> CountColumns:
    """Count n-grams in texts, from the texts of each word and the words of each n-gram: a product of matrices."""
    ends, rows, counts = texts_of_words
    part_ends, parts, part_counts = words_of_ngrams
    n_columns = part_ends.size - 1
    capacity = 0
    for column in range(n_columns):
        capacity += min(n_rows, _count_entries(ends, parts[part_ends[column] : part_ends[column + 1]]))
    out_ends = np.zeros(n_columns + 1, np.int64)
    out_rows, out_counts = np.empty(capacity, np.int32), np.empty(capacity, np.int32)
    sums, bits = np.zeros(n_rows, np.int32), np.zeros((n_rows >> 6) + 1, np.uint64)
    for column in range(n_columns):
        filled, first, stop = out_ends[column], part_ends[column], part_ends[column + 1]
        if stop - first == 1:
            part = parts[first]
            for place in range(ends[part], ends[part + 1]):
                out_rows[filled], out_counts[filled] = rows[place], part_counts[first] * counts[place]
                filled += 1
        else:
            few = 1024 * _count_entries(ends, parts[first:stop]) < n_rows
            start = filled
            for at in range(first, stop):
                part, factor = parts[at], part_counts[at]
                for place in range(ends[part], ends[part + 1]):
                    row = rows[place]
                    if few and sums[row] == 0:
                        out_rows[filled] = row
                        filled += 1
                    sums[row] += factor * counts[place]
                    bits[row >> 6] |= np.uint64(1) << np.uint64(row & 63)
            filled = _list_rows(bits, few, out_rows, start, filled)
            for place in range(start, filled):
                row = out_rows[place]
                out_counts[place] = sums[row]
                sums[row] = 0
        out_ends[column + 1] = filled
    filled = out_ends[-1]
    return CountColumns(out_ends, out_rows[:filled].copy(), out_counts[:filled].copy())


@compile_loop
def _count_entries(ends: NDArray[np.int64], parts: Ints) -> Integer:
    n_entries = 0
    for part in parts:
        n_entries += ends[part + 1] - ends[part]
    return n_entries


@compile_loop
def _list_rows(bits: NDArray[np.uint64], few: bool, rows: Ints, start: Integer, stop: Integer) -> Integer:
    """Write the rows whose bit is set in ascending order, and clear the bits; a few listed rows are sorted instead."""
    if few:
        rows[start:stop].sort()
        for row in rows[start:stop]:
            bits[row >> 6] = 0
        return stop
    filled = start
    for cell in range(bits.size):
        remaining = bits[cell]
        while remaining:
            lowest = remaining & (~remaining + np.uint64(1))
            rows[filled] = (cell << 6) + count_bits(lowest - np.uint64(1))
            filled += 1
            remaining ^= lowest
        bits[cell] = 0
    return filled
