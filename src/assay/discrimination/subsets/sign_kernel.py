"""Compiled comparison of rankings over pairs of systems."""

from __future__ import annotations

import numpy as np

from assay.base.loops import compile_loop

_TIE = 0.5e-9  # differences up to here are ties: scores are compared to nine decimals


@compile_loop
def count_signs(total, rows, chosen, first, second, target):  # type: ignore[no-untyped-def]
    """Compare the ranking by `total + rows[r]` with the target signs, for every chosen row r.

    Return for every row Σ sign · target and Σ sign² over the pairs (first, second).
    """
    dots, squares = np.zeros(len(chosen), dtype=np.int64), np.zeros(len(chosen), dtype=np.int64)
    scores = np.empty(len(total))
    for number in range(len(chosen)):
        row = rows[chosen[number]]
        for system in range(len(total)):
            scores[system] = total[system] + row[system]
        dot, square = 0, 0
        for pair in range(len(first)):
            gap = scores[first[pair]] - scores[second[pair]]
            sign = int(gap > _TIE) - int(gap < -_TIE)
            dot += sign * target[pair]
            square += sign * sign
        dots[number], squares[number] = dot, square
    return dots, squares


@compile_loop
def find_largest_gaps(rows, first, second):  # type: ignore[no-untyped-def]
    """Return for every pair the largest difference that any row makes."""
    largest = np.zeros(len(first))
    for number in range(len(rows)):
        row = rows[number]
        for pair in range(len(first)):
            largest[pair] = max(largest[pair], abs(row[first[pair]] - row[second[pair]]))
    return largest
