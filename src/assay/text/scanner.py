"""Find the words of UTF-8 texts, compiled: bytes in, numbers out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from assay.text.characters import ALONE
from assay.text.word_table import WordTable, add, find, grown, word_hash

_ALONE = np.int64(ALONE)


@njit(cache=True, nogil=True)
def decode(data: NDArray[np.uint8], at: Any, end: Any) -> Any:
    """Read the character at a byte: its code point and how many bytes it takes; 0 for a broken one."""
    first = np.int64(data[at])
    if first < 0x80:
        return first, 1
    width = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if at + width > end or first < 0xC0:
        return 0, 1
    code = first & (0x7F >> width)
    for position in range(at + 1, at + width):
        code = code << 6 | np.int64(data[position] & 0x3F)
    return code, width


@njit(cache=True, nogil=True)
def encode(code: Any, word: NDArray[np.uint8], at: Any) -> Any:
    """Write a character as UTF-8 and return where the next one goes."""
    if code < 0x80:
        word[at] = code
        return at + 1
    width = 2 if code < 0x800 else 3 if code < 0x10000 else 4
    for position in range(at + width - 1, at, -1):
        word[position] = 0x80 | (code & 0x3F)
        code >>= 6
    word[at] = (0xF00 >> width) & 0xFF | code
    return at + width


@njit(cache=True, nogil=True)
def next_word(data: NDArray[np.uint8], at: Any, end: Any, letters: NDArray[np.uint32], word: NDArray[np.uint8]) -> Any:
    """Spell the next word into `word`; return its length, 0 where there is none left, and where to go on."""
    length = 0
    while at < end:
        code, width = decode(data, at, end)
        letter = np.int64(letters[code])
        if letter >= _ALONE:
            return (length, at) if length else (encode(letter - _ALONE, word, 0), at + width)
        at += width
        if letter:
            length = encode(letter, word, length)
        elif length:
            break
    return length, at


@njit(cache=True, nogil=True)
def scan(data: NDArray[np.uint8], bounds: NDArray[np.int64], letters: NDArray[np.uint32], table: WordTable) -> Any:
    """Number the words of some texts in the order they first come; the table must be empty and have room.

    Returns the numbers, where each text's numbers end, and the words themselves.
    """
    n_texts = bounds.size - 1
    ids = np.empty((bounds[n_texts] - bounds[0] + n_texts) // 2 + 1, np.int32)
    ends = np.zeros(n_texts + 1, np.int64)
    word = np.empty(2 * np.max(bounds[1:] - bounds[:-1]) + 4, np.uint8)
    n_words = n_ids = 0
    for text in range(n_texts):
        end = bounds[text + 1]
        length, at = next_word(data, bounds[text], end, letters, word)
        while length:
            hashed = word_hash(word, length)
            slot = find(table, word, length, hashed)
            if table.slots[slot] == 0:
                add(table, slot, n_words, word, length, hashed)
                n_words += 1
            ids[n_ids] = np.int64(table.slots[slot] & np.uint64(0xFFFFFFFF)) - 1
            n_ids += 1
            if 2 * n_words >= table.slots.size:
                table = WordTable(grown(table.slots), table.spelled, table.ends)
            length, at = next_word(data, at, end, letters, word)
        ends[text + 1] = n_ids
    return ids[:n_ids], ends, table.spelled[: table.ends[n_words]], table.ends[: n_words + 1]


@njit(cache=True, nogil=True)
def texts_with(data: NDArray[np.uint8], bounds: NDArray[np.int64], pairs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Tell which texts hold one of some characters of two bytes, given as rows of `pairs`."""
    found = np.zeros(bounds.size - 1, np.bool_)
    for text in range(found.size):
        for at in range(bounds[text], bounds[text + 1] - 1):
            if data[at] >= 0xC0:
                for row in range(pairs.shape[0]):
                    found[text] |= data[at] == pairs[row, 0] and data[at + 1] == pairs[row, 1]
    return found
