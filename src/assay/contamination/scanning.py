"""Compiled loops that cut documents into hashed words, eight bytes at a time.

Words are runs of letters, digits and underscores, lower-cased, without apostrophes. ASCII is classified by arithmetic
on eight bytes at once; runs with an apostrophe or a byte beyond ASCII are read character by character.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.core import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import intrinsic
from numpy.typing import NDArray

from assay.text.characters import ALONE
from assay.text.scanner.words import decode_character

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]

MIX = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
_START = np.uint64(0xCBF29CE484222325)
_ALONE = np.int64(ALONE)
_APOSTROPHE, _RIGHT_QUOTE = ord("'"), 0x2019
_NEWLINE, _CARRIAGE_RETURN, _TAB, _SPACE = 10, 13, 9, 32
_0, _1, _2, _7, _8, _56, _64 = (np.uint64(value) for value in (0, 1, 2, 7, 8, 56, 64))
_EVERY = np.uint64(0x0101010101010101)
_HIGH, _LOW = np.uint64(0x80) * _EVERY, np.uint64(0x7F) * _EVERY
_CASE_BIT = np.uint64(0x20) * _EVERY
_GATHER = np.uint64(0x0102040810204080)  # moves the low bits of eight bytes into the highest byte
_FROM_A, _AFTER_Z = (np.uint64(0x80 - byte) * _EVERY for byte in (ord("a"), ord("z") + 1))
_FROM_0, _AFTER_9 = (np.uint64(0x80 - byte) * _EVERY for byte in (ord("0"), ord("9") + 1))
_UNDERSCORES, _APOSTROPHES = (np.uint64(byte) * _EVERY for byte in (ord("_"), _APOSTROPHE))
_NEWLINES = np.uint64(_NEWLINE) * _EVERY
_BLOCK = 64


def type_load(_context: Any, array: Any, place: Any) -> Any:
    """Compile a load of the eight bytes from a place on as one number, aligned or not."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir  # type: ignore[import-untyped]

        values = context.make_array(signature.args[0])(context, builder, arguments[0])
        number = ir.IntType(64)
        pointer = builder.bitcast(builder.gep(values.data, [arguments[1]]), number.as_pointer())
        return builder.load(pointer, align=1, typ=number)

    return types.uint64(array, place), generate


load_eight: Any = intrinsic(type_load)
find_lowest: Any = trailing_zeros  # the place of the lowest bit that is set


@njit(cache=True, nogil=True, forceinline=True)
def find_equal(eight: Any, wanted: Any) -> Any:
    """Set the high bit of every byte that equals the wanted one."""
    other = eight ^ wanted
    return ~(((other & _LOW) + _LOW) | other) & _HIGH


@njit(cache=True, nogil=True, forceinline=True)
def gather_bits(high_bits: Any) -> Any:
    """Return the high bits of eight bytes as one byte, the first byte lowest."""
    return ((high_bits >> _7) * _GATHER) >> _56


@njit(cache=True, nogil=True)
def find_newline(data: Bytes, at: Any, size: Any) -> Any:
    """Return the place of the next line break, `size` where there is none."""
    while at + 8 <= size:
        found = find_equal(load_eight(data, at), _NEWLINES)
        if found != _0:
            return at + np.int64(find_lowest(found) >> 3)
        at += 8
    while at < size and data[at] != _NEWLINE:
        at += 1
    return at


@njit(cache=True, nogil=True)
def split_paragraphs(data: Bytes, size: Any, is_last: Any) -> Any:
    """Return where paragraphs start and end, and where the first incomplete one starts."""
    bounds = np.empty((1024, 2), np.int64)
    n, at, start, last, complete = 0, 0, -1, 0, 0
    while at < size:
        line = at
        while at < size and (data[at] == _SPACE or data[at] == _TAB or data[at] == _CARRIAGE_RETURN):
            at += 1
        blank = at == size or data[at] == _NEWLINE
        at = find_newline(data, at, size)
        if at == size and not is_last:
            break
        if not blank:
            start = line if start < 0 else start
            last = at
        elif start >= 0:
            bounds = add_bounds(bounds, n, start, last)
            n += 1
            start = -1
        complete = at + 1 if blank else complete
        at += 1
    if is_last:
        if start >= 0:
            bounds = add_bounds(bounds, n, start, last)
            n += 1
        complete = size
    return bounds[:n, 0].copy(), bounds[:n, 1].copy(), min(complete, size)


@njit(cache=True, nogil=True)
def add_bounds(bounds: Ints, n: Any, start: Any, end: Any) -> Any:
    """Write the n-th row, into a larger array where this one is full."""
    if n == len(bounds):
        larger = np.empty((2 * n, 2), np.int64)
        larger[:n] = bounds
        bounds = larger
    bounds[n, 0], bounds[n, 1] = start, end
    return bounds


@njit(cache=True, nogil=True, forceinline=True)
def count_eights(size: Any) -> Any:
    """Return how many numbers of eight bytes hold a document: whole blocks, and one for reading past its end."""
    return (size // _BLOCK + 1) * (_BLOCK // 8) + 1


@njit(cache=True, nogil=True, forceinline=True)
def mix_eight(state: Any, eight: Any) -> Any:
    """Continue the hash of a word by up to eight bytes."""
    state = (state ^ eight) * MIX
    return state ^ (state >> SHIFT)


@njit(cache=True, nogil=True, forceinline=True)
def hash_run(lowered: Bytes, at: Any, end: Any) -> Any:
    """Hash the bytes of a word."""
    state = _START
    while end - at >= 8:
        state = mix_eight(state, load_eight(lowered, at))
        at += 8
    if end > at:
        rest = load_eight(lowered, at) & ((_1 << np.uint64(8 * (end - at))) - _1)
        state = mix_eight(state, rest)
    return state


@njit(cache=True, nogil=True, forceinline=True)
def add_byte(state: Any, chunk: Any, n_bytes: Any, byte: Any) -> Any:
    """Continue the hash of a word by a byte: return the hash, the bytes that wait to be mixed in, and their number."""
    chunk |= np.uint64(byte) << (_8 * (np.uint64(n_bytes) & _7))
    n_bytes += 1
    if n_bytes % 8 == 0:
        return mix_eight(state, chunk), _0, n_bytes
    return state, chunk, n_bytes


@njit(cache=True, nogil=True, forceinline=True)
def finish_word(state: Any, chunk: Any, n_bytes: Any) -> Any:
    """Return the hash of a word whose last bytes may wait."""
    return mix_eight(state, chunk) if n_bytes % 8 else state


@njit(cache=True, nogil=True)
def hash_characters(data: Bytes, at: Any, end: Any, letters: NDArray[np.uint32], hashes: Hashes, n: Any) -> Any:
    """Hash the words of a run that is not plain ASCII into `hashes` from n on, and return the new number."""
    state, chunk, n_bytes = _START, _0, 0
    while at < end:
        code, width = np.int64(data[at]), 1
        if code >= 0x80:
            code, width = decode_character(data, at, end)
        at += width
        if code in (_RIGHT_QUOTE, _APOSTROPHE):
            continue
        character = np.int64(letters[code])
        is_alone = character >= _ALONE
        if n_bytes > 0 and (character == 0 or is_alone):
            hashes[n] = finish_word(state, chunk, n_bytes)
            n += 1
            state, chunk, n_bytes = _START, _0, 0
        if character == 0:
            continue
        character = character - _ALONE if is_alone else character
        if character < 0x80:
            state, chunk, n_bytes = add_byte(state, chunk, n_bytes, character)
        else:
            width = 2 if character < 0x800 else 3 if character < 0x10000 else 4
            first = (0xF00 >> width) & 0xFF | character >> 6 * (width - 1)
            state, chunk, n_bytes = add_byte(state, chunk, n_bytes, first & 0xFF)
            for rest in range(width - 2, -1, -1):
                state, chunk, n_bytes = add_byte(state, chunk, n_bytes, 0x80 | (character >> 6 * rest & 0x3F))
        if is_alone:
            hashes[n] = finish_word(state, chunk, n_bytes)
            n += 1
            state, chunk, n_bytes = _START, _0, 0
    if n_bytes > 0:
        hashes[n] = finish_word(state, chunk, n_bytes)
        n += 1
    return n


@njit(cache=True, nogil=True, forceinline=True)
def read_tail(data: Bytes, at: Any, end: Any) -> Any:
    """Return the last bytes of a document, fewer than eight, as one number."""
    eight = _0
    for place in range(at, end):
        eight |= np.uint64(data[place]) << np.uint64(8 * (place - at))
    return eight


@njit(cache=True, nogil=True, forceinline=True)
def classify_eight(eight: Any) -> Any:
    """Return eight bytes in lower case, and the high bits of those in words and of those that need a closer look."""
    low = eight & _LOW
    folded = low | _CASE_BIT
    letter = (folded + _FROM_A) & ~(folded + _AFTER_Z) & ~eight & _HIGH
    digit = (low + _FROM_0) & ~(low + _AFTER_9) & ~eight & _HIGH
    special = (eight & _HIGH) | find_equal(eight, _APOSTROPHES)
    return eight | (letter >> _2), letter | digit | special | find_equal(eight, _UNDERSCORES), special


@njit(cache=True, nogil=True)
def hash_words(data: Bytes, first: Any, end: Any, letters: NDArray[np.uint32], eights: Hashes, hashes: Hashes) -> Any:
    """Hash the lower-cased words of a text into `hashes` and return their number; `eights` is working memory."""
    lowered, size = eights.view(np.uint8), end - first
    n, in_run, run, is_special = 0, _0, np.int64(0), False
    for block in range(0, size + 1, _BLOCK):  # the last block ends with a byte that is no letter
        words, specials = _0, _0
        if block + _BLOCK <= size:
            for number in range(8):
                at = block + 8 * number
                eights[at >> 3], word, special = classify_eight(load_eight(data, first + at))
                words |= gather_bits(word) << np.uint64(8 * number)
                specials |= gather_bits(special) << np.uint64(8 * number)
        else:
            for number in range(8):
                at = block + 8 * number
                eight = read_tail(data, min(first + at, end), min(first + at + 8, end))
                eights[at >> 3], word, special = classify_eight(eight)
                words |= gather_bits(word) << np.uint64(8 * number)
                specials |= gather_bits(special) << np.uint64(8 * number)
        edges = words ^ ((words << _1) | in_run)
        while edges != _0:
            place = np.int64(find_lowest(edges))
            edges &= edges - _1
            if in_run == _0:
                in_run, run = _1, block + place
                continue
            in_run, stop = _0, block + place
            if specials != _0 or is_special:
                begin = np.uint64(run - block if run > block else 0)
                is_special |= (specials & ((_1 << np.uint64(place)) - _1)) >> begin != _0
            if is_special:
                n = hash_characters(data, first + run, first + stop, letters, hashes, n)
                is_special = False
            else:
                hashes[n] = hash_run(lowered, run, stop)
                n += 1
        if in_run != _0 and specials != _0:
            is_special |= specials >> np.uint64(run - block if run > block else 0) != _0
    return n


@njit(cache=True, nogil=True)
def hash_texts(data: Bytes, starts: Ints, ends: Ints, letters: NDArray[np.uint32]) -> Any:
    """Hash the words of texts; return the hashes and where each text's hashes end."""
    hashes = np.empty(np.sum(ends - starts) // 2 + starts.size + 1, np.uint64)
    eights = np.empty(count_eights(max_size(starts, ends)), np.uint64)
    bounds = np.zeros(starts.size + 1, np.int64)
    for text in range(starts.size):
        first = bounds[text]
        bounds[text + 1] = first + hash_words(data, starts[text], ends[text], letters, eights, hashes[first:])
    return hashes[: bounds[-1]].copy(), bounds


@njit(cache=True, nogil=True)
def max_size(starts: Ints, ends: Ints) -> Any:
    """Return the size of the longest text in bytes."""
    size = 0
    for text in range(starts.size):
        size = max(size, ends[text] - starts[text])
    return size
