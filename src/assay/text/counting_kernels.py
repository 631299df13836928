"""Loops that count characters of UTF-8 texts, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from assay.text.scanner import decode


@njit(cache=True, nogil=True)
def characters(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the characters of each text."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        for at in range(bounds[text], bounds[text + 1]):
            counts[text] += data[at] & 0xC0 != 0x80
    return counts


@njit(cache=True, nogil=True)
def characters_in(data: NDArray[np.uint8], bounds: NDArray[np.int64], wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the characters of each text that belong to a set."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        at, end = bounds[text], bounds[text + 1]
        while at < end:
            code, width = decode(data, at, end)
            counts[text] += wanted[code]
            at += width
    return counts


@njit(cache=True, nogil=True)
def sentences(
    data: NDArray[np.uint8], bounds: NDArray[np.int64], letters: NDArray[np.uint32], ends: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Count the sentences of each text: stretches with a word in them, cut where end marks stand; at least one."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        at, end = bounds[text], bounds[text + 1]
        has_words = False
        while at < end:
            code, width = decode(data, at, end)
            at += width
            inside = code == 46 and at < end and letters[decode(data, at, end)[0]] != 0
            if has_words and ends[code] and not inside:
                counts[text] += 1
                has_words = False
            has_words |= letters[code] != 0
        counts[text] += has_words or (counts[text] == 0 and end > bounds[text])
    return counts
