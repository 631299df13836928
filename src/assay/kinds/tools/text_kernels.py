"""Compiled loops over pairs of texts; import this inside the function that needs it."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@compile_loop
def count_common_subsequences(
    first: Array, first_starts: Array, second: Array, second_starts: Array, places: Array
) -> Array:
    """Return the length of the longest common subsequence of each text and the text that `places` pairs it with."""
    n_pairs = len(places)
    lengths = np.zeros(n_pairs, dtype=np.int64)
    longest = 0
    for place in range(len(first_starts) - 1):
        longest = max(longest, first_starts[place + 1] - first_starts[place])
    row = np.zeros(longest + 1, dtype=np.int64)
    for pair in range(n_pairs):
        a, a_end = first_starts[places[pair]], first_starts[places[pair] + 1]
        width = a_end - a
        for column in range(width + 1):
            row[column] = 0
        for word in range(second_starts[pair], second_starts[pair + 1]):
            diagonal = 0
            for column in range(width):
                above = row[column + 1]
                if first[a + column] == second[word]:
                    row[column + 1] = diagonal + 1
                elif row[column] > above:
                    row[column + 1] = row[column]
                diagonal = above
        lengths[pair] = row[width]
    return lengths


@compile_loop
def count_shared_ngrams(
    first: Array, first_starts: Array, second: Array, second_starts: Array, places: Array, order: int
) -> Array:
    """Return how many n-grams of 1 to `order` units each text shares with the one that `places` pairs it with.

    N-grams are compared by a hash of 64 bits. A unit of −1 in the first texts equals none of the second.
    """
    n_pairs = len(places)
    shared = np.zeros((n_pairs, order), dtype=np.int64)
    for pair in range(n_pairs):
        a, a_end = first_starts[places[pair]], first_starts[places[pair] + 1]
        b, b_end = second_starts[pair], second_starts[pair + 1]
        left = np.zeros(a_end - a, dtype=np.uint64)
        right = np.zeros(b_end - b, dtype=np.uint64)
        for size in range(1, order + 1):
            n_left, n_right = a_end - a - size + 1, b_end - b - size + 1
            if n_left <= 0 or n_right <= 0:
                break
            _extend_hashes(left, first, a, size)
            _extend_hashes(right, second, b, size)
            x, y = np.sort(left[:n_left]), np.sort(right[:n_right])
            i, j = 0, 0
            while i < n_left and j < n_right:
                if x[i] == y[j]:
                    shared[pair, size - 1] += 1
                    i += 1
                    j += 1
                elif x[i] < y[j]:
                    i += 1
                else:
                    j += 1
    return shared


@compile_loop(inline="always")
def _extend_hashes(hashes: Array, units: Array, start: int, size: int) -> None:
    """Turn the hashes of n-grams of one unit less, by their first unit, into those of `size` units."""
    for place in range(len(hashes) - size + 1):
        mixed = (hashes[place] ^ np.uint64(units[start + place + size - 1] + 1)) * _MIX
        hashes[place] = mixed ^ (mixed >> _SHIFT)
