"""Find the words of UTF-8 texts: bytes in, word numbers out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.text.characters import ALONE, MARK
from assay.text.scanner.cells import keep_bytes, lower_cell, read_cell
from assay.text.scanner.word_table import WordTable, add_word, find_slot, grow_slots, hash_word, read_number

_ALONE, _MARK = np.int64(ALONE), np.int64(MARK)
_A = ord("A")
_SEPARATOR, _LETTER, _LONGER = 0, 1, 2


@compile_loop(forceinline=True)
def decode_character(data: NDArray[np.uint8], at: Integer, end: Integer) -> tuple[Any, int]:
    """Read the character at a byte: its code point and width in bytes; 0 and 1 for an invalid one."""
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


@compile_loop(forceinline=True)
def push_byte(word: NDArray[np.uint64], length: Integer, cell: Integer, byte: Integer) -> Any:
    """Append a byte to the word; the unfinished cell is passed along, finished ones go to `word`."""
    cell |= np.uint64(byte) << np.uint64(8 * (length & 7))
    word[length >> 3] = cell
    length += 1
    return length, cell if length & 7 else np.uint64(0)


@compile_loop(forceinline=True)
def push_character(word: NDArray[np.uint64], length: Integer, cell: Integer, code: Integer) -> Any:
    """Append a character to the word as UTF-8."""
    if code < 0x80:
        return push_byte(word, length, cell, code)
    width = 2 if code < 0x800 else 3 if code < 0x10000 else 4
    length, cell = push_byte(word, length, cell, (0xF00 >> width) & 0xFF | code >> 6 * (width - 1))
    for rest in range(width - 2, -1, -1):
        length, cell = push_byte(word, length, cell, 0x80 | (code >> 6 * rest & 0x3F))
    return length, cell


@compile_loop
def next_word_by_character(
    data: NDArray[np.uint8], at: Integer, end: Integer, letters: NDArray[np.uint32], word: NDArray[np.uint64]
) -> Any:
    """Spell the next word of any script into `word`; return its length (0 for none) and where to continue."""
    length, cell = 0, np.uint64(0)
    alone = False
    while at < end:
        code, width = decode_character(data, at, end)
        letter = np.int64(letters[code])
        if letter >= _MARK:
            is_mark = letter < _ALONE
            if not is_mark and length:
                break
            alone |= not is_mark
            if length or not is_mark:
                length, cell = push_character(word, length, cell, letter & (_MARK - 1))
        elif letter and not alone:
            length, cell = push_character(word, length, cell, letter)
        elif length:
            break
        at += width
    return length, at


@compile_loop
def classify_bytes(letters: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Classify each byte: it separates words, is an ASCII letter, or is part of a longer character."""
    kinds = np.full(256, _LONGER, np.uint8)
    for byte in range(0x80):
        kinds[byte] = _LETTER if letters[byte] else _SEPARATOR
    return kinds


@compile_loop(forceinline=True)
def next_ascii_word(
    data: NDArray[np.uint8], at: Integer, end: Integer, kinds: NDArray[np.uint8], lower: bool, word: NDArray[np.uint64]
) -> Any:
    """Spell the next run of ASCII letters into `word`, eight bytes at a time."""
    while at < end and kinds[data[at]] == _SEPARATOR:
        at += 1
    stop = at
    while stop < end and kinds[data[stop]] == _LETTER:
        stop += 1
    copy_ascii(data, at, stop - at, lower, word)
    return stop - at, stop


@compile_loop
def next_word(
    data: NDArray[np.uint8],
    at: Integer,
    end: Integer,
    kinds: NDArray[np.uint8],
    letters: NDArray[np.uint32],
    lower: bool,
    word: NDArray[np.uint64],
) -> Any:
    """Spell the next word of any text into `word`."""
    if end + 8 > data.size:
        return next_word_by_character(data, at, end, letters, word)
    length, stop = next_ascii_word(data, at, end, kinds, lower, word)
    if stop < end and kinds[data[stop]] == _LONGER:
        return next_word_by_character(data, at, end, letters, word)
    return length, stop


@compile_loop
def is_ascii(data: NDArray[np.uint8], at: Integer, end: Integer) -> Any:
    """Return whether a text is all ASCII and eight bytes can be read from its last byte on."""
    together = np.uint8(0)
    for position in range(at, end):
        together |= data[position]
    return together < 0x80 and end + 8 <= data.size


@compile_loop(forceinline=True)
def copy_ascii(data: NDArray[np.uint8], at: Integer, length: Integer, lower: bool, word: NDArray[np.uint64]) -> None:
    """Copy a word of ASCII into cells; the last one is padded with zeros."""
    number = 0
    while number << 3 < length:
        cell = read_cell(data, at + (number << 3))
        word[number] = lower_cell(cell) if lower else cell
        number += 1
    word[length >> 3] = keep_bytes(word[length >> 3], length & 7)


@compile_loop(forceinline=True)
def max_words(n_words: Integer, n_bytes: Integer) -> Any:
    """Return an upper bound on the number of words after another text of `n_bytes` bytes."""
    return n_words + (n_bytes + 1) // 2


@compile_loop
def scan_texts(
    data: NDArray[np.uint8], bounds: NDArray[np.int64], letters: NDArray[np.uint32], table: WordTable
) -> Any:
    """Number the words of some texts by first occurrence, with an empty table of enough capacity.

    Returns the numbers, where each text's numbers end, the table and its number of words.
    """
    sizes = bounds[1:] - bounds[:-1]
    ids = np.empty((bounds[-1] - bounds[0] + sizes.size) // 2 + 1, np.int32)
    ends = np.zeros(bounds.size, np.int64)
    word = np.empty(sizes.max() // 4 + 2, np.uint64)
    text = n_words = n_ids = np.int64(0)  # a literal 0 would be compiled on its own
    while text < sizes.size:
        table = grow_slots(table, max_words(n_words, sizes[text]))
        text, n_words, n_ids = scan_until_full(data, bounds, letters, word, table, text, n_words, ids, n_ids, ends)
    return ids[:n_ids], ends, table, n_words


@compile_loop
def scan_until_full(
    data: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    letters: NDArray[np.uint32],
    word: NDArray[np.uint64],
    table: WordTable,
    text: Any,
    n_words: Any,
    ids: NDArray[np.int32],
    n_ids: Any,
    ends: NDArray[np.int64],
) -> Any:
    """Number the words of texts until one might not fit into the slots; return the next text and both counts."""
    kinds, lower = classify_bytes(letters), letters[_A] != _A
    while text < bounds.size - 1:
        at, end = bounds[text], bounds[text + 1]
        if 2 * max_words(n_words, end - at) > table.slots.size:
            break
        # Checking the byte after every word for a longer character would cost plain texts a third of their speed.
        plain = is_ascii(data, at, end)
        while True:
            if plain:
                length, at = next_ascii_word(data, at, end, kinds, lower, word)
            else:
                length, at = next_word(data, at, end, kinds, letters, lower, word)
            if length == 0:
                break
            state = hash_word(word, length)
            slot = find_slot(table, word, length, state)
            if table.slots[slot] == 0:
                add_word(table, slot, n_words, word, length, state)
                n_words += 1
            ids[n_ids] = read_number(table, slot)
            n_ids += 1
        text += 1
        ends[text] = n_ids
    return text, n_words, n_ids


@compile_loop
def find_pairs(data: NDArray[np.uint8], bounds: NDArray[np.int64], pairs: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Find which texts contain one of some two-byte characters, each a row of `pairs`."""
    contains = np.zeros(bounds.size - 1, np.bool_)
    for text in range(contains.size):
        for at in range(bounds[text], bounds[text + 1] - 1):
            if data[at] >= 0xC0:
                for row in range(pairs.shape[0]):
                    contains[text] |= data[at] == pairs[row, 0] and data[at + 1] == pairs[row, 1]
    return contains
