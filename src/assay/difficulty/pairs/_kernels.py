"""Compiled comparisons of two bags of words, pair by pair, on the word ids of a shared vocabulary.

Each takes offsets and ids of both sides and the size of the vocabulary. `counts` holds, for every word, how often it
occurs on each side of the current pair; it is all zeros between pairs, so no pair costs more than its own words.
"""

from __future__ import annotations

import numpy as np

from assay.base.loops import compile_loop


@compile_loop
def _count(a, b, counts):  # type: ignore[no-untyped-def]
    """Count the words of both sides."""
    for word in a:
        counts[word, 0] += 1
    for word in b:
        counts[word, 1] += 1


@compile_loop
def _term(count_a, count_b, length_a, length_b):  # type: ignore[no-untyped-def]
    """Return what one shared word adds: ½ [P log₂(P/M) + Q log₂(Q/M)], exactly 0 if P = Q."""
    if count_a * length_b == count_b * length_a:
        return 0.0
    p, q = count_a / length_a, count_b / length_b
    m = 0.5 * (p + q)
    return 0.5 * (p * np.log2(p / m) + q * np.log2(q / m))


@compile_loop
def _divergence(a, b, counts, terms):  # type: ignore[no-untyped-def]
    """Return the divergence of two lists of words; a word of one side only needs no logarithm.

    Words that occur once on both sides are counted and the other terms sorted before they are summed, so that the value
    does not depend on the numbering or the order of the words: ties at the median stay ties.
    """
    _count(a, b, counts)
    n_terms = n_single = shared_a = shared_b = 0
    for word in a:
        count_a, count_b = counts[word, 0], counts[word, 1]
        counts[word, 0] = counts[word, 1] = 0
        if count_a == 0 or count_b == 0:  # seen before, or on this side only
            continue
        shared_a, shared_b = shared_a + count_a, shared_b + count_b
        if count_a == 1 and count_b == 1:
            n_single += 1
        else:
            terms[n_terms] = _term(count_a, count_b, a.size, b.size)
            n_terms += 1
    for word in b:
        counts[word, 1] = 0
    alone = 0.5 * ((a.size - shared_a) / a.size + (b.size - shared_b) / b.size)
    return _bounded_sum(alone + n_single * _term(1, 1, a.size, b.size), terms[:n_terms])


@compile_loop
def _bounded_sum(start, terms):  # type: ignore[no-untyped-def]
    total = start
    if terms.size > 1:
        terms.sort()
    for term in terms:
        total += term
    return min(1.0, max(0.0, total))


@compile_loop
def jensen_shannon_of_pairs(offsets_a, ids_a, offsets_b, ids_b, n_words):  # type: ignore[no-untyped-def]
    """Return one divergence per pair: nan if one side is empty, 0 if both are."""
    n_pairs = offsets_a.size - 1
    divergences = np.empty(n_pairs)
    counts = np.zeros((n_words, 2), np.int32)
    terms = np.empty(max(1, np.max(offsets_a[1:] - offsets_a[:-1])) if n_pairs else 1)
    for pair in range(n_pairs):
        a = ids_a[offsets_a[pair] : offsets_a[pair + 1]]
        b = ids_b[offsets_b[pair] : offsets_b[pair + 1]]
        if a.size == 0 or b.size == 0:
            divergences[pair] = 0.0 if a.size == b.size else np.nan
        else:
            divergences[pair] = _divergence(a, b, counts, terms)
    return divergences


@compile_loop
def overlap_of_pairs(offsets_a, ids_a, offsets_b, ids_b, n_words):  # type: ignore[no-untyped-def]
    """Return three counts per pair: distinct words shared, of the first side, of the second side."""
    n_pairs = offsets_a.size - 1
    overlap = np.zeros((n_pairs, 3), np.int64)
    counts = np.zeros((n_words, 2), np.int32)
    for pair in range(n_pairs):
        a = ids_a[offsets_a[pair] : offsets_a[pair + 1]]
        b = ids_b[offsets_b[pair] : offsets_b[pair + 1]]
        _count(a, b, counts)
        for word in a:
            if counts[word, 0]:
                overlap[pair, 1] += 1
                overlap[pair, 0] += counts[word, 1] > 0
            counts[word, 0] = 0
        for word in b:
            overlap[pair, 2] += counts[word, 1] > 0
            counts[word, 1] = 0
    return overlap
