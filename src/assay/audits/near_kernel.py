"""The search for a near training text, compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_SLACK = 1e-9


@njit(cache=True, nogil=True)
def has_near(offsets: Numbers, parts: Numbers, n_asked: int, n_parts: int, threshold: float) -> NDArray[np.bool_]:
    """Tell of the first texts which are near to one of the others; shingles are numbered from the rarest on."""
    starts, texts = index(offsets, parts, n_asked, n_parts, threshold)
    found = np.zeros(n_asked, np.bool_)
    for text in range(n_asked):
        for at in range(offsets[text], looked_up(offsets, text, threshold)):
            if found[text]:
                break
            for place in range(starts[parts[at]], starts[parts[at] + 1]):
                if near(offsets, parts, text, texts[place], threshold):
                    found[text] = True
                    break
    return found


@njit(cache=True, nogil=True)
def index(offsets: Numbers, parts: Numbers, first: int, n_parts: int, threshold: float) -> tuple[Numbers, Numbers]:
    """List the texts from the `first` on by each of their rarest shingles."""
    counts = np.zeros(n_parts + 1, np.int64)
    for text in range(first, offsets.size - 1):
        for at in range(offsets[text], looked_up(offsets, text, threshold)):
            counts[parts[at] + 1] += 1
    starts = np.cumsum(counts)
    free, texts = starts.copy(), np.empty(starts[-1], np.int64)
    for text in range(first, offsets.size - 1):
        for at in range(offsets[text], looked_up(offsets, text, threshold)):
            texts[free[parts[at]]] = text
            free[parts[at]] += 1
    return starts, texts


@njit(cache=True, nogil=True)
def looked_up(offsets: Numbers, text: Any, threshold: float) -> int:
    """Return where the rarest shingles of a text end, of which two texts so alike have one in common."""
    n = offsets[text + 1] - offsets[text]
    return min(offsets[text + 1], offsets[text] + n - math.ceil(threshold * n - _SLACK) + 1)


@njit(cache=True, nogil=True)
def near(offsets: Numbers, parts: Numbers, text: Any, other: Any, threshold: float) -> bool:
    """Tell whether two texts share enough of their shingles."""
    one, two = offsets[text], offsets[other]
    size, other_size = offsets[text + 1] - one, offsets[other + 1] - two
    if min(size, other_size) < threshold * max(size, other_size) - _SLACK:
        return False
    both = 0
    while one < offsets[text + 1] and two < offsets[other + 1]:
        a, b = parts[one], parts[two]
        both += a == b
        one += a <= b
        two += b <= a
    return both >= threshold * (size + other_size - both) - _SLACK
