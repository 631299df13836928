"""A hash table of words as cells of eight bytes: each new word takes the next number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class WordTable(NamedTuple):
    """Words as UTF-8: word w starts at `starts[w]` in `cells`, is `lengths[w]` bytes long and padded with zero bytes.

    A slot holds the word's hash (32 bits) and its number plus one (32 bits); an empty slot is 0.
    """

    slots: NDArray[np.uint64]
    cells: NDArray[np.uint64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]


def make_table(n_words: int, n_cells: int, n_slots: int = 1 << 14) -> WordTable:
    """Make an empty table with capacity for this many words and cells; `n_slots` is a power of two."""
    starts = np.empty(n_words + 1, np.int64)
    starts[0] = 0
    return WordTable(
        np.zeros(n_slots, np.uint64), np.empty(n_cells, np.uint64), starts, np.empty(n_words + 1, np.int32)
    )


@compile_loop(forceinline=True)
def hash_word(word: NDArray[np.uint64], length: Integer) -> Integer:
    """Hash a word of `length` bytes."""
    state = np.uint64(length)
    for cell in range((length + 7) >> 3):
        state = (state ^ word[cell]) * _PRIME
        state ^= state >> _HALF
    return state


@compile_loop(forceinline=True)
def find_slot(table: WordTable, word: NDArray[np.uint64], length: Integer, state: Integer) -> Integer:
    """Return the slot of the word, or the empty slot where it belongs."""
    mask = np.uint64(table.slots.size - 1)
    low_hash = state & _LOW
    slot = low_hash & mask
    while True:
        entry = table.slots[slot]
        if entry == 0 or (entry >> _HALF == low_hash and _is_word(table, np.int64(entry & _LOW) - 1, word, length)):
            return slot
        slot = (slot + np.uint64(1)) & mask


@compile_loop(forceinline=True)
def _is_word(table: WordTable, number: Integer, word: NDArray[np.uint64], length: Integer) -> bool:
    if table.lengths[number] != length:
        return False
    start = table.starts[number]
    for cell in range((length + 7) >> 3):  # noqa: SIM110, numba compiles the loop, not a generator
        if table.cells[start + cell] != word[cell]:
            return False
    return True


@compile_loop(forceinline=True)
def add_word(
    table: WordTable, slot: Integer, number: Integer, word: NDArray[np.uint64], length: Integer, state: Integer
) -> None:
    """Put a new word into its empty slot."""
    start = table.starts[number]
    n_cells = (length + 7) >> 3
    for cell in range(n_cells):
        table.cells[start + cell] = word[cell]
    table.starts[number + 1] = start + n_cells
    table.lengths[number] = length
    table.slots[slot] = ((state & _LOW) << _HALF) | np.uint64(number + 1)


@compile_loop(forceinline=True)
def read_number(table: WordTable, slot: Integer) -> Integer:
    """Return the number of the word in a slot."""
    return np.int64(table.slots[slot] & _LOW) - 1


@compile_loop
def grow_slots(table: WordTable, n_words: int) -> WordTable:
    """Return the table with at least twice as many slots as words."""
    size = table.slots.size
    while size < 2 * n_words:
        size *= 2
    if size == table.slots.size:
        return table
    slots, mask = np.zeros(size, np.uint64), np.uint64(size - 1)
    for entry in table.slots:
        if entry != 0:
            slot = (entry >> _HALF) & mask
            while slots[slot] != 0:
                slot = (slot + np.uint64(1)) & mask
            slots[slot] = entry
    return WordTable(slots, table.cells, table.starts, table.lengths)


@compile_loop
def merge_tables(table: WordTable, n_words: int, other: WordTable, n_more: int) -> tuple[int, NDArray[np.int32]]:
    """Add the words of another table to one with enough capacity; return its size and each added word's number."""
    numbers = np.empty(n_more, np.int32)
    for number in range(n_more):
        word = other.cells[other.starts[number] : other.starts[number + 1]]
        length = np.int64(other.lengths[number])
        state = hash_word(word, length)
        slot = find_slot(table, word, length, state)
        if table.slots[slot] == 0:
            add_word(table, slot, n_words, word, length, state)
            n_words += 1
        numbers[number] = read_number(table, slot)
    return n_words, numbers


@compile_loop
def spell_words(table: WordTable, n_words: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the words' bytes without the padding, and where each word ends."""
    ends = np.zeros(n_words + 1, np.int64)
    ends[1:] = np.cumsum(table.lengths[:n_words])
    data = np.empty(ends[n_words], np.uint8)
    for number in range(n_words):
        for position in range(table.lengths[number]):
            cell = table.cells[table.starts[number] + (position >> 3)]
            data[ends[number] + position] = (cell >> np.uint64(8 * (position & 7))) & np.uint64(0xFF)
    return data, ends
