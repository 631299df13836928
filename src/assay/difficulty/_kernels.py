"""Compiled comparisons of two bags of words, pair by pair, on the word ids of a shared vocabulary."""

from __future__ import annotations

import numpy as np
from numba import njit

_SHORT = 48  # below this many words an insertion sort beats the library's


@njit(cache=True, nogil=True)
def _sorted_words(ids, start, stop, words):  # type: ignore[no-untyped-def]
    """Copy ids[start:stop] into `words`, sorted; return `words`, made longer where it is too short."""
    length = stop - start
    if length > words.size:
        words = np.empty(2 * length, ids.dtype)
    if length > _SHORT:
        words[:length] = np.sort(ids[start:stop])
        return words
    for place in range(length):
        word = ids[start + place]
        before = place - 1
        while before >= 0 and words[before] > word:
            words[before + 1] = words[before]
            before -= 1
        words[before + 1] = word
    return words


@njit(cache=True, nogil=True)
def _run_length(words, start, length):  # type: ignore[no-untyped-def]
    """Count how often the word at `start` of a sorted list stands there."""
    stop = start + 1
    while stop < length and words[stop] == words[start]:
        stop += 1
    return stop - start


@njit(cache=True, nogil=True)
def _term(count_a, count_b, length_a, length_b):  # type: ignore[no-untyped-def]
    """Return what one shared word adds: ½ [P log₂(P/M) + Q log₂(Q/M)], exactly 0 where P = Q."""
    if count_a * length_b == count_b * length_a:
        return 0.0
    p, q = count_a / length_a, count_b / length_b
    m = 0.5 * (p + q)
    return 0.5 * (p * np.log2(p / m) + q * np.log2(q / m))


@njit(cache=True, nogil=True)
def _divergence(a, length_a, b, length_b, terms):  # type: ignore[no-untyped-def]
    """Return the divergence of two sorted lists of words; a word of one side only needs no logarithm.

    Words seen once on both sides are counted and the other terms sorted before they are summed, so that the value
    does not depend on the numbering of the words: ties at the median stay ties.
    """
    i = j = n_terms = n_single = 0
    shared_a = shared_b = 0
    while i < length_a and j < length_b:
        if a[i] < b[j]:
            i += 1
        elif b[j] < a[i]:
            j += 1
        else:
            count_a, count_b = _run_length(a, i, length_a), _run_length(b, j, length_b)
            if count_a == 1 and count_b == 1:
                n_single += 1
            else:
                terms[n_terms] = _term(count_a, count_b, length_a, length_b)
                n_terms += 1
            shared_a, shared_b = shared_a + count_a, shared_b + count_b
            i, j = i + count_a, j + count_b
    alone = 0.5 * ((length_a - shared_a) / length_a + (length_b - shared_b) / length_b)
    total = alone + n_single * _term(1, 1, length_a, length_b)
    if n_terms > 1:
        terms[:n_terms].sort()
    for place in range(n_terms):
        total += terms[place]
    return min(1.0, max(0.0, total))


@njit(cache=True, nogil=True)
def jensen_shannon_of_pairs(offsets_a, ids_a, offsets_b, ids_b):  # type: ignore[no-untyped-def]
    """Return one divergence a pair: nan where one side is empty, 0 where both are."""
    n_pairs = offsets_a.size - 1
    divergences = np.empty(n_pairs)
    a, b, terms = np.empty(256, ids_a.dtype), np.empty(256, ids_b.dtype), np.empty(256)
    for pair in range(n_pairs):
        length_a = offsets_a[pair + 1] - offsets_a[pair]
        length_b = offsets_b[pair + 1] - offsets_b[pair]
        if length_a == 0 or length_b == 0:
            divergences[pair] = 0.0 if length_a == length_b else np.nan
            continue
        a = _sorted_words(ids_a, offsets_a[pair], offsets_a[pair + 1], a)
        b = _sorted_words(ids_b, offsets_b[pair], offsets_b[pair + 1], b)
        if terms.size < a.size:
            terms = np.empty(a.size)
        divergences[pair] = _divergence(a, length_a, b, length_b, terms)
    return divergences


@njit(cache=True, nogil=True)
def _count_types(words, length):  # type: ignore[no-untyped-def]
    """Count the distinct words of a sorted list."""
    types = 0
    for place in range(length):
        if place == 0 or words[place] != words[place - 1]:
            types += 1
    return types


@njit(cache=True, nogil=True)
def _count_shared(a, length_a, b, length_b):  # type: ignore[no-untyped-def]
    """Count the distinct words two sorted lists have in common."""
    i = j = shared = 0
    while i < length_a and j < length_b:
        if a[i] < b[j]:
            i += 1
        elif b[j] < a[i]:
            j += 1
        else:
            shared += 1
            i += _run_length(a, i, length_a)
            j += _run_length(b, j, length_b)
    return shared


@njit(cache=True, nogil=True)
def overlap_of_pairs(offsets_a, ids_a, offsets_b, ids_b):  # type: ignore[no-untyped-def]
    """Return three counts a pair: distinct words shared, of the first side, of the second side."""
    n_pairs = offsets_a.size - 1
    counts = np.empty((n_pairs, 3), np.int64)
    a, b = np.empty(256, ids_a.dtype), np.empty(256, ids_b.dtype)
    for pair in range(n_pairs):
        length_a = offsets_a[pair + 1] - offsets_a[pair]
        length_b = offsets_b[pair + 1] - offsets_b[pair]
        a = _sorted_words(ids_a, offsets_a[pair], offsets_a[pair + 1], a)
        b = _sorted_words(ids_b, offsets_b[pair], offsets_b[pair + 1], b)
        counts[pair, 0] = _count_shared(a, length_a, b, length_b)
        counts[pair, 1] = _count_types(a, length_a)
        counts[pair, 2] = _count_types(b, length_b)
    return counts
