"""Compiled loops that cut documents into hashed words, eight bytes at a time.

Words are runs of letters, digits and underscores, lower-cased, without apostrophes. ASCII is classified by arithmetic
on eight bytes at once; runs with an apostrophe or a byte beyond ASCII are read character by character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import intrinsic
from numpy.typing import NDArray

from assay.base.arrays import Integer, Intrinsic
from assay.base.loops import compile_loop
from assay.text.characters import ALONE
from assay.text.scanner.words import decode_character

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numba.core.base import BaseContext
    from numba.core.typing.templates import Signature

Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]

MIX = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
_START = np.uint64(0xCBF29CE484222325)
_ALONE = np.int64(ALONE)
_APOSTROPHE, _RIGHT_QUOTE = ord("'"), 0x2019
_NEWLINE, _CARRIAGE_RETURN, _TAB, _SPACE = 10, 13, 9, 32
_0, _1, _7, _8, _63 = (np.uint64(value) for value in (0, 1, 7, 8, 63))
_EVERY = np.uint64(0x0101010101010101)
_HIGH, _LOW = np.uint64(0x80) * _EVERY, np.uint64(0x7F) * _EVERY
_CASE_BIT = np.uint64(0x20) * _EVERY
_NEWLINES = np.uint64(_NEWLINE) * _EVERY
_FIRST_MASKS = np.array([(1 << 8 * min(size, 8)) - 1 for size in range(17)], np.uint64)  # by the size of a word
_SECOND_MASKS = np.array([(1 << 8 * max(size - 8, 0)) - 1 for size in range(17)], np.uint64)
_BLOCK = 64
SEGMENT_BYTES = 1024


def type_load(_context: BaseContext, array: types.Type, place: types.Type) -> Intrinsic:
    """Compile a load of the eight bytes from a place on as one number, aligned or not."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        values = context.make_array(signature.args[0])(context, builder, arguments[0])  # type: ignore[no-untyped-call]
        number = ir.IntType(64)
        pointer = builder.bitcast(builder.gep(values.data, [arguments[1]]), number.as_pointer())
        return builder.load(pointer, align=1, typ=number)

    return types.uint64(array, place), generate


def type_classify(_context: BaseContext, array: types.Type, place: types.Type) -> Intrinsic:
    """Compile the classification of the 64 bytes from a place on, by vector instructions.

    Return two numbers of 64 bits: bytes that belong to words, and those among them that are no plain ASCII letter,
    digit or underscore.
    """

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        byte, vector = ir.IntType(8), ir.VectorType(ir.IntType(8), _BLOCK)

        def repeat(value: int) -> ir.Value:
            return ir.Constant(vector, [ir.Constant(byte, value)] * _BLOCK)

        def is_between(values: ir.Value, first: str, last: str) -> ir.Value:
            distance = builder.sub(values, repeat(ord(first)))
            return builder.icmp_unsigned("<=", distance, repeat(ord(last) - ord(first)))

        values = context.make_array(signature.args[0])(context, builder, arguments[0])  # type: ignore[no-untyped-call]
        pointer = builder.bitcast(builder.gep(values.data, [arguments[1]]), vector.as_pointer())
        block = builder.load(pointer, align=1, typ=vector)
        is_letter = is_between(builder.or_(block, repeat(0x20)), "a", "z")
        is_plain = builder.or_(is_letter, builder.or_(is_between(block, "0", "9"), is_between(block, "_", "_")))
        is_special = builder.or_(builder.icmp_signed("<", block, repeat(0)), is_between(block, "'", "'"))
        masks = [builder.bitcast(mask, ir.IntType(64)) for mask in (builder.or_(is_plain, is_special), is_special)]
        return context.make_tuple(builder, signature.return_type, masks)  # type: ignore[no-untyped-call]

    return types.UniTuple(types.uint64, 2)(array, place), generate  # type: ignore[no-untyped-call]


def type_count(_context: BaseContext, bits: types.Type) -> Intrinsic:
    """Compile the count of the bits that are set."""

    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return builder.ctpop(arguments[0])

    return types.int64(bits), generate


load_eight: Any = intrinsic(type_load)
count_bits: Any = intrinsic(type_count)
classify_block: Any = intrinsic(type_classify)
find_lowest: Any = trailing_zeros  # the place of the lowest bit that is set


@compile_loop(forceinline=True)
def find_equal(eight: Integer, wanted: Integer) -> Any:
    """Set the high bit of every byte that equals the wanted one."""
    other = eight ^ wanted
    return ~(((other & _LOW) + _LOW) | other) & _HIGH


@compile_loop
def find_newline(data: Bytes, at: Integer, size: Integer) -> Any:
    """Return the place of the next line break, `size` if there is none."""
    while at + 8 <= size:
        found = find_equal(load_eight(data, at), _NEWLINES)
        if found != _0:
            return at + np.int64(find_lowest(found) >> 3)
        at += 8
    while at < size and data[at] != _NEWLINE:
        at += 1
    return at


@compile_loop
def split_paragraphs(data: Bytes, size: int, is_last: Integer) -> tuple[Ints, Ints, int]:
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


@compile_loop
def add_bounds(bounds: Ints, n: Integer, start: Integer, end: Integer) -> Ints:
    """Write the n-th row, into a larger array where this one is full."""
    if n == len(bounds):
        larger = np.empty((2 * n, 2), np.int64)
        larger[:n] = bounds
        bounds = larger
    bounds[n, 0], bounds[n, 1] = start, end
    return bounds


@compile_loop(forceinline=True)
def mix_eight(state: Integer, eight: Integer) -> Any:
    """Continue the hash of a word by up to eight bytes."""
    state = (state ^ eight) * MIX
    return state ^ (state >> SHIFT)


@compile_loop
def hash_run(data: Bytes, at: Integer, end: Integer) -> Any:
    """Hash the letters, digits and underscores of a word in ASCII; the case bit makes letters lower case."""
    state = _START
    while end - at >= 8:
        state = mix_eight(state, load_eight(data, at) | _CASE_BIT)
        at += 8
    if end > at:
        rest = (load_eight(data, at) if at + 8 <= data.size else read_tail(data, at)) | _CASE_BIT
        state = mix_eight(state, rest & _FIRST_MASKS[end - at])
    return state


@compile_loop
def read_tail(data: Bytes, at: Integer) -> Any:
    """Return the last bytes of the data, fewer than eight, as one number."""
    eight = _0
    for place in range(at, data.size):
        eight |= np.uint64(data[place]) << np.uint64(8 * (place - at))
    return eight


@compile_loop(forceinline=True)
def add_byte(state: Integer, chunk: Integer, n_bytes: Integer, byte: Integer) -> Any:
    """Continue the hash of a word by a byte: return the hash, the bytes that wait to be mixed in, and their number."""
    chunk |= np.uint64(byte) << (_8 * (np.uint64(n_bytes) & _7))
    n_bytes += 1
    if n_bytes % 8 == 0:
        return mix_eight(state, chunk), _0, n_bytes
    return state, chunk, n_bytes


@compile_loop(forceinline=True)
def finish_word(state: Integer, chunk: Integer, n_bytes: Integer) -> Any:
    """Return the hash of a word whose last bytes may wait."""
    return mix_eight(state, chunk) if n_bytes % 8 else state


@compile_loop
def hash_characters(
    data: Bytes, at: Integer, end: Integer, letters: NDArray[np.uint32], hashes: Hashes, n: Integer
) -> Any:
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
            state, chunk, n_bytes = add_byte(state, chunk, n_bytes, character | 0x20)
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


@compile_loop
def classify_tail(data: Bytes, at: Integer) -> Any:
    """Classify the last bytes of the data, fewer than a block."""
    block = np.zeros(_BLOCK, np.uint8)
    block[: data.size - at] = data[at:]
    return classify_block(block, 0)


@compile_loop(forceinline=True)
def list_bits(bits: Integer, first: Integer, places: Ints, n: Integer) -> Any:
    """Write the places of the bits that are set, counted from `first`, from n on, and return the new number.

    Four are written at a time, with fewer branches; up to three places after the last one have no meaning.
    """
    count = count_bits(bits)
    for at in range(n, n + count, 4):
        for place in range(at, at + 4):
            places[place] = first + np.int64(find_lowest(bits))
            bits &= bits - _1
    return n + count


@compile_loop
def hash_words(
    data: Bytes, first: Integer, end: Integer, letters: NDArray[np.uint32], places: Ints, hashes: Hashes
) -> Any:
    """Hash the lower-cased words of a text into `hashes` and return their number; `places` is working memory.

    Segment by segment, the bounds of runs are listed before the runs are hashed: both loops have few branches.
    """
    edges, specials = places[0], places[1]  # where runs start and end, in turn, and where special bytes are
    n, n_edges, n_specials, in_run = 0, 0, 0, _0
    for segment in range(first, end, SEGMENT_BYTES):
        for block in range(segment, min(segment + SEGMENT_BYTES, end), _BLOCK):
            words, special = classify_block(data, block) if block + _BLOCK <= data.size else classify_tail(data, block)
            if end - block < _BLOCK:
                inside = (_1 << np.uint64(end - block)) - _1
                words, special = words & inside, special & inside
            n_edges = list_bits(words ^ ((words << _1) | in_run), block, edges, n_edges)
            n_specials = list_bits(special, block, specials, n_specials)
            in_run = words >> _63
        if segment + SEGMENT_BYTES >= end and n_edges % 2 == 1:
            edges[n_edges] = end
            n_edges += 1
        specials[n_specials] = end
        seen, special_at = 0, specials[0]
        for edge in range(0, n_edges - 1, 2):
            run, stop = edges[edge], edges[edge + 1]
            size = stop - run
            if special_at < stop:
                n = hash_characters(data, run, stop, letters, hashes, n)
                while special_at < stop:
                    seen += 1
                    special_at = specials[seen]
            elif size <= 16 and run + 16 <= data.size:  # as `hash_run` does, without a call and a loop
                state = mix_eight(_START, (load_eight(data, run) | _CASE_BIT) & _FIRST_MASKS[size])
                if size > 8:
                    state = mix_eight(state, (load_eight(data, run + 8) | _CASE_BIT) & _SECOND_MASKS[size])
                hashes[n] = state
                n += 1
            else:
                hashes[n] = hash_run(data, run, stop)
                n += 1
        if n_edges % 2 == 1:
            edges[0] = edges[n_edges - 1]
        specials[0] = special_at  # all that are left belong to the run that goes on
        n_edges, n_specials = n_edges % 2, min(n_specials - seen, 1)
    return n


@compile_loop
def hash_texts(data: Bytes, starts: Ints, ends: Ints, letters: NDArray[np.uint32]) -> tuple[Hashes, Ints]:
    """Hash the words of texts; return the hashes and where each text's hashes end."""
    hashes = np.empty(np.sum(ends - starts) // 2 + starts.size + 1, np.uint64)
    places = np.empty((2, SEGMENT_BYTES + 8), np.int64)
    bounds = np.zeros(starts.size + 1, np.int64)
    for text in range(starts.size):
        first = bounds[text]
        bounds[text + 1] = first + hash_words(data, starts[text], ends[text], letters, places, hashes[first:])
    return hashes[: bounds[-1]].copy(), bounds


@compile_loop
def max_size(starts: Ints, ends: Ints) -> Any:
    """Return the size of the longest text in bytes."""
    size = 0
    for text in range(starts.size):
        size = max(size, ends[text] - starts[text])
    return size
