"""Search for texts that share enough of their shingles, among candidates that share a rare one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.text.scanner.shingles import count_missing, rank_shingles, shingle_at

_WINDOW = 64  # a candidate is compared with this many that follow, so that no bucket costs its square
_SLACK = 1e-9
_S20, _ONE = np.uint64(20), np.uint64(1)


class ShingleIndex(NamedTuple):
    """The words of texts with what the search needs: shingle counts, sizes, sketches, and rare shingles as keys.

    The words of a text are `ids[starts[text] : ends[text]]`. `keys` are ascending; `texts` says which text each belongs
    to. Texts that share a key are candidates.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    ids: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    counts: NDArray[np.uint32]
    sizes: NDArray[np.int64]
    sketches: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    texts: NDArray[np.int32]


@compile_loop
def count_shared(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> Integer:
    """Count the common elements of two ascending arrays."""
    shared = left = right = 0
    while left < one.size and right < other.size:
        a, b = one[left], other[right]
        shared += a == b
        left += a <= b
        right += b <= a
    return shared


@compile_loop
def find_root(parents: NDArray[np.int64], text: Integer) -> Integer:
    """Return the text that represents a text's group."""
    while parents[text] != text:
        parents[text] = parents[parents[text]]
        text = parents[text]
    return text


@compile_loop(forceinline=True)
def n_needed(index: ShingleIndex, one: Integer, other: Integer, threshold: float) -> float:
    """Return how many shingles two texts must share: shared / (total - shared) >= threshold."""
    return threshold / (1 + threshold) * (index.sizes[one] + index.sizes[other]) - _SLACK


@compile_loop(forceinline=True)
def may_be_similar(index: ShingleIndex, one: Integer, other: Integer, needed: float) -> bool:
    """Return whether sizes and sketches allow two texts to share as many shingles as needed."""
    n_missing = count_missing(index.sketches[one], index.sketches[other])
    return min(index.sizes[one] - n_missing, index.sizes[other]) >= needed


@compile_loop
def shingles_of(index: ShingleIndex, text: Integer) -> NDArray[np.uint64]:
    """Return the distinct shingles of a text in their common order."""
    return rank_shingles(index.ids[index.starts[text] : index.ends[text]], index.hashes, index.counts)


@compile_loop
def hash_shingles(words: NDArray[np.int32], hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a table of a text's shingles for `may_share`: 44 bits of each, at the first free cell from its low bits."""
    n_shingles = max(0, 2 * words.size - 1)
    n_cells = 4
    while n_cells < 2 * n_shingles:
        n_cells *= 2
    table = np.zeros(n_cells, np.uint64)
    for place in range(n_shingles):
        value = (shingle_at(hashes, words, place) >> _S20) + _ONE
        cell = value & np.uint64(n_cells - 1)
        while table[cell] != 0 and table[cell] != value:
            cell = (cell + _ONE) & np.uint64(n_cells - 1)
        table[cell] = value
    return table


@compile_loop
def may_share(table: NDArray[np.uint64], words: NDArray[np.int32], hashes: NDArray[np.uint64], needed: float) -> bool:
    """Return whether a text can share as many shingles as needed with the text of a table; pairs are looked up first.

    A shingle that is repeated counts each time, so a text that shares enough is never refused.
    """
    n_shingles = max(0, 2 * words.size - 1)
    n_allowed, n_missing = n_shingles - needed, 0
    mask = np.uint64(table.size - 1)
    for place in range(n_shingles - 1, -1, -1):
        value = (shingle_at(hashes, words, place) >> _S20) + _ONE
        cell = value & mask
        while table[cell] != 0 and table[cell] != value:
            cell = (cell + _ONE) & mask
        if table[cell] == 0:
            n_missing += 1
            if n_missing > n_allowed:
                return False
    return True


@compile_loop
def list_places(index: ShingleIndex) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where each text begins in a list of the places with a candidate behind them, those of each text together."""
    keys, texts = index.keys, index.texts
    begins = np.zeros(index.starts.size + 1, np.int64)
    for place in range(texts.size - 1):
        begins[texts[place] + 1] += keys[place] == keys[place + 1]
    begins = np.cumsum(begins)
    filled, places = begins[:-1].copy(), np.empty(begins[-1], np.int32)
    for place in range(texts.size - 1):
        if keys[place] == keys[place + 1]:
            places[filled[texts[place]]] = place
            filled[texts[place]] += 1
    return begins, places


@compile_loop
def unite_similar(index: ShingleIndex, threshold: float, parents: NDArray[np.int64]) -> None:
    """Unite the groups of candidates that share enough shingles; the lowest text represents a group in `parents`.

    Candidates are compared once, however many keys they share, and most are refused by their first shingles.
    """
    keys, texts = index.keys, index.texts
    begins, places = list_places(index)
    compared = np.full(index.starts.size, -1, np.int32)
    for one in range(index.starts.size):
        shingles, table = np.empty(0, np.uint64), np.empty(0, np.uint64)
        for place in places[begins[one] : begins[one + 1]]:
            for further in range(place + 1, min(place + 1 + _WINDOW, texts.size)):
                other = texts[further]
                if keys[further] != keys[place]:
                    break
                needed = n_needed(index, one, other, threshold)
                if not may_be_similar(index, one, other, needed) or compared[other] == one:
                    continue
                compared[other] = one
                if find_root(parents, one) == find_root(parents, other):
                    continue
                if table.size == 0:
                    table = hash_shingles(index.ids[index.starts[one] : index.ends[one]], index.hashes)
                if not may_share(table, index.ids[index.starts[other] : index.ends[other]], index.hashes, needed):
                    continue
                if shingles.size == 0:
                    shingles = shingles_of(index, one)
                if count_shared(shingles, shingles_of(index, other)) >= needed:
                    low, high = find_root(parents, one), find_root(parents, other)
                    parents[max(low, high)] = min(low, high)


@compile_loop
def resolve_groups(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the text that represents each text's group."""
    return np.array([find_root(parents, text) for text in range(parents.size)])


@compile_loop
def match_references(index: ShingleIndex, n_queries: int, threshold: float) -> NDArray[np.bool_]:
    """Find which of the first `n_queries` texts are similar to one of the others themselves."""
    is_match = np.zeros(n_queries, np.bool_)
    keys, texts = index.keys, index.texts
    start = 0
    while start < texts.size:
        stop = start + 1
        while stop < texts.size and keys[stop] == keys[start]:
            stop += 1
        for place in range(start, stop):
            query = texts[place]
            if query < n_queries and not is_match[query]:
                is_match[query] = _has_match(index, query, texts[start:stop], n_queries, threshold)
        start = stop
    return is_match


@compile_loop
def _has_match(
    index: ShingleIndex, query: Integer, candidates: NDArray[np.int32], n_queries: int, threshold: float
) -> bool:
    shingles = np.empty(0, np.uint64)
    for other in candidates:
        if other < n_queries:
            continue
        needed = n_needed(index, query, other, threshold)
        if not may_be_similar(index, query, other, needed):
            continue
        if shingles.size == 0:
            shingles = shingles_of(index, query)
        if count_shared(shingles, shingles_of(index, other)) >= needed:
            return True
    return False
