"""A hash table of words as bytes, compiled: each new word takes the next number."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

_SEED = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class WordTable(NamedTuple):
    """Words one after the other in `spelled`, word w from `ends[w]` to `ends[w + 1]`.

    A slot holds the word's hash (32 bits) and its number plus one (32 bits); 0 is free.
    """

    slots: NDArray[np.uint64]
    spelled: NDArray[np.uint8]
    ends: NDArray[np.int64]


def empty_table(n_words: int, n_bytes: int) -> WordTable:
    """Make a table with room for so many words and bytes; the slots grow by themselves."""
    return WordTable(np.zeros(1 << 12, np.uint64), np.empty(n_bytes, np.uint8), np.zeros(n_words + 1, np.int64))


@njit(cache=True, nogil=True)
def word_hash(word: NDArray[np.uint8], length: Any) -> Any:
    """Hash a word's bytes to 32 bits."""
    state = _SEED
    for position in range(length):
        state = (state ^ np.uint64(word[position])) * _PRIME
    return (state ^ (state >> _HALF)) & _LOW


@njit(cache=True, nogil=True)
def find(table: WordTable, word: NDArray[np.uint8], length: Any, hashed: Any) -> Any:
    """Return the slot where the word stands, or the free one where it belongs."""
    mask = np.uint64(table.slots.size - 1)
    slot = hashed & mask
    while True:
        entry = table.slots[slot]
        if entry == 0 or (entry >> _HALF == hashed and _same(table, np.int64(entry & _LOW) - 1, word, length)):
            return slot
        slot = (slot + np.uint64(1)) & mask


@njit(cache=True, nogil=True)
def _same(table: WordTable, number: Any, word: NDArray[np.uint8], length: Any) -> bool:
    start = table.ends[number]
    if table.ends[number + 1] - start != length:
        return False
    for position in range(length):  # noqa: SIM110, numba compiles the loop, not a generator
        if table.spelled[start + position] != word[position]:
            return False
    return True


@njit(cache=True, nogil=True)
def add(table: WordTable, slot: Any, number: Any, word: NDArray[np.uint8], length: Any, hashed: Any) -> None:
    """Put a new word into its free slot."""
    start = table.ends[number]
    for position in range(length):
        table.spelled[start + position] = word[position]
    table.ends[number + 1] = start + length
    table.slots[slot] = (hashed << _HALF) | np.uint64(number + 1)


@njit(cache=True, nogil=True)
def grown(slots: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the slots moved to a table four times the size."""
    larger = np.zeros(slots.size * 4, np.uint64)
    mask = np.uint64(larger.size - 1)
    for entry in slots:
        if entry != 0:
            slot = (entry >> _HALF) & mask
            while larger[slot] != 0:
                slot = (slot + np.uint64(1)) & mask
            larger[slot] = entry
    return larger


@njit(cache=True, nogil=True)
def merge(table: WordTable, n_words: int, spelled: NDArray[np.uint8], ends: NDArray[np.int64]) -> Any:
    """Add words to a table that has room for them; return it, its number of words, and each word's number in it."""
    numbers = np.empty(ends.size - 1, np.int32)
    for number in range(ends.size - 1):
        if 2 * n_words >= table.slots.size:
            table = WordTable(grown(table.slots), table.spelled, table.ends)
        word = spelled[ends[number] : ends[number + 1]]
        hashed = word_hash(word, word.size)
        slot = find(table, word, word.size, hashed)
        if table.slots[slot] == 0:
            add(table, slot, n_words, word, word.size, hashed)
            n_words += 1
        numbers[number] = np.int64(table.slots[slot] & _LOW) - 1
    return table, n_words, numbers
