"""MinHash signatures of texts in bands, and sets of shingles to verify candidates by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.text.scanner.shingles import mix, shingle_at
from assay.text.scanner.similar_texts import count_shared, find_root

_P = np.uint64(0x9E3779B97F4A7C15)
_Q = np.uint64(0xC2B2AE3D27D4EB4F)
_S15, _S32 = np.uint32(15), np.uint64(32)
_MAX = np.uint32(0xFFFFFFFF)
_SLACK = 1e-9


@compile_loop
def fill_minima(shingle: Integer, factors: NDArray[np.uint32], minima: NDArray[np.uint32]) -> None:
    """Lower the minimum of every hash function to that of one more shingle."""
    low, high = np.uint32(shingle), np.uint32(shingle >> _S32) | np.uint32(1)
    for number in range(minima.size):
        value = np.uint32((low ^ factors[number]) * high)
        value = np.uint32((value ^ (value >> _S15)) * factors[number])
        minima[number] = min(minima[number], value)


@compile_loop
def sign_bands(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    factors: NDArray[np.uint32],
    n_bands: int,
) -> NDArray[np.uint64]:
    """Return one key per band and text: texts that are similar enough share one of them nearly always."""
    keys = np.empty((n_bands, offsets.size - 1), np.uint64)
    n_rows = factors.size // n_bands
    minima = np.empty(factors.size, np.uint32)
    for text in range(offsets.size - 1):
        words = ids[offsets[text] : offsets[text + 1]]
        minima[:] = _MAX
        for place in range(2 * words.size - 1):
            fill_minima(shingle_at(hashes, words, place), factors, minima)
        for band in range(n_bands):
            state = _Q + np.uint64(band)
            for row in range(n_rows):
                state = mix(state, np.uint64(minima[band * n_rows + row]), _P)
            keys[band, text] = state
    return keys


@compile_loop
def sort_shingles(hashes: NDArray[np.uint64], words: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return the distinct shingles of a text in ascending order."""
    shingles = np.empty(max(0, 2 * words.size - 1), np.uint64)
    for place in range(shingles.size):
        shingles[place] = shingle_at(hashes, words, place)
    shingles.sort()
    n = 0
    for place in range(shingles.size):
        if place == 0 or shingles[place] != shingles[place - 1]:
            shingles[n] = shingles[place]
            n += 1
    return shingles[:n]


@compile_loop
def list_shingles(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the distinct shingles of all texts, one after the other, and where those of each text end."""
    bounds = np.zeros(offsets.size, np.int64)
    shingles = np.empty(2 * ids.size, np.uint64)
    for text in range(offsets.size - 1):
        own = sort_shingles(hashes, ids[offsets[text] : offsets[text + 1]])
        bounds[text + 1] = bounds[text] + own.size
        shingles[bounds[text] : bounds[text + 1]] = own
    return shingles[: bounds[-1]].copy(), bounds


@compile_loop
def mark_separate(parents: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find which pairs of texts are in different groups."""
    separate = np.empty(first.size, np.bool_)
    for pair in range(first.size):
        separate[pair] = find_root(parents, first[pair]) != find_root(parents, second[pair])
    return separate


@compile_loop
def unite_pairs(
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    numbers: NDArray[np.int64],
    shingles: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    parents: NDArray[np.int64],
    threshold: float,
) -> None:
    """Unite the groups of texts whose Jaccard similarity is at least the threshold.

    `numbers` are the texts' numbers in `parents`; pairs name places in it. The lowest number represents a group.
    """
    for pair in range(first.size):
        low, high = find_root(parents, numbers[first[pair]]), find_root(parents, numbers[second[pair]])
        if low == high:
            continue
        one = shingles[bounds[first[pair]] : bounds[first[pair] + 1]]
        other = shingles[bounds[second[pair]] : bounds[second[pair] + 1]]
        needed = threshold / (1 + threshold) * (one.size + other.size) - _SLACK
        if min(one.size, other.size) >= needed and count_shared(one, other) >= needed:
            parents[max(low, high)] = min(low, high)
