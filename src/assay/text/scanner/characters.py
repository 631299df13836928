"""Loops that count the characters of UTF-8 texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.loops import compile_loop
from assay.text.characters import MARK
from assay.text.scanner.words import decode_character

_MARK = np.uint32(MARK)


@compile_loop
def count_characters(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the characters of each text."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        for at in range(bounds[text], bounds[text + 1]):
            counts[text] += data[at] & 0xC0 != 0x80
    return counts


@compile_loop
def count_members(data: NDArray[np.uint8], bounds: NDArray[np.int64], members: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the characters of each text that belong to a set."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        at, end = bounds[text], bounds[text + 1]
        while at < end:
            code, width = decode_character(data, at, end)
            counts[text] += members[code]
            at += width
    return counts


@compile_loop
def count_sentences(
    data: NDArray[np.uint8], bounds: NDArray[np.int64], letters: NDArray[np.uint32], ends: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Count the sentences of each text: stretches that contain a word, cut at end marks; at least one."""
    counts = np.zeros(bounds.size - 1, np.int64)
    for text in range(counts.size):
        at, end = bounds[text], bounds[text + 1]
        has_words = False
        while at < end:
            code, width = decode_character(data, at, end)
            at += width
            inside = code == 46 and at < end and letters[decode_character(data, at, end)[0]] != 0
            if has_words and ends[code] and not inside:
                counts[text] += 1
                has_words = False
            has_words |= letters[code] != 0 and letters[code] & _MARK == 0
        counts[text] += has_words or (counts[text] == 0 and end > bounds[text])
    return counts
