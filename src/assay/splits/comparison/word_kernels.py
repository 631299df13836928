"""Compiled: words of two parts, counted and compared pair by pair."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Array
from assay.base.loops import compile_loop

Floats = NDArray[np.float64]
N_FREQUENT = 64  # most words occur less often in both row sets, and many of them as often as others


@compile_loop
def add_rows(ends: NDArray[np.int64], words: NDArray[np.int32], counts: Floats, rows: Array, sums: Floats) -> None:
    """Write how often each word occurs in the chosen rows of a CSR matrix."""
    for word in range(sums.size):
        sums[word] = 0.0
    for row in range(rows.size):
        if rows[row]:
            for at in range(ends[row], ends[row + 1]):
                sums[words[at]] += counts[at]


@compile_loop
def _compare_shares(p: float, q: float, a: int, b: int, terms: Floats) -> float:
    """Return what a word adds to the divergence; `terms` keeps that of words that occur a and b times."""
    is_kept = a < N_FREQUENT and b < N_FREQUENT
    if is_kept and not math.isnan(terms[a, b]):
        return terms[a, b]
    middle = (p + q) / 2
    term = p * math.log2(p / middle) + q * math.log2(q / middle)
    if is_kept:
        terms[a, b] = term
    return term


@compile_loop
def compare_words(
    ends: NDArray[np.int64],
    words: NDArray[np.int32],
    counts: Floats,
    totals: Floats,
    parts: Array,
    references: Array,
) -> Floats:
    """Return the unseen words, the divergence and the overlap of every part and its reference, one line each.

    `totals` are the counts of all rows: a reference that is all the rest needs no second sum.
    """
    measured = np.full((3, parts.shape[0]), np.nan)
    reference, part = np.empty(totals.size), np.empty(totals.size)
    terms = np.empty((N_FREQUENT, N_FREQUENT))
    for pair in range(parts.shape[0]):
        terms[:] = np.nan
        add_rows(ends, words, counts, parts[pair], part)
        is_rest = True
        for row in range(parts.shape[1]):
            is_rest &= parts[pair, row] != references[pair, row]
        if not is_rest:
            add_rows(ends, words, counts, references[pair], reference)
        n_reference = n_part = 0.0
        for word in range(totals.size):
            if is_rest:
                reference[word] = totals[word] - part[word]
            n_reference += reference[word]
            n_part += part[word]
        unseen = logs = shared = 0.0
        n_both = n_either = 0
        for word in range(totals.size):
            a, b = reference[word], part[word]
            n_both += a > 0 and b > 0
            n_either += a > 0 or b > 0
            if a == 0:
                unseen += b
            elif b > 0:
                p, q = a / n_reference, b / n_part
                logs += _compare_shares(p, q, int(a), int(b), terms)
                shared += p + q
        if n_part > 0:
            measured[0, pair] = unseen / n_part
        if n_part > 0 and n_reference > 0:
            measured[1, pair] = min(max(logs / 2 + 1 - shared / 2, 0.0), 1.0)
        if n_either:
            measured[2, pair] = n_both / n_either
    return measured
