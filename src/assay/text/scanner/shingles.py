"""Hashes of texts and of their shingles (words and pairs of neighbouring words), and their rarest shingles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop

_P = np.uint64(0x9E3779B97F4A7C15)
_Q = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)
_SKETCH_CELLS = 4  # of 64 bits


@compile_loop(forceinline=True)
def mix(state: Integer, value: Integer, prime: Integer) -> Any:
    """Fold a value into a hash."""
    state = (state ^ value) * prime
    return state ^ (state >> _S29)


@compile_loop
def hash_words(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash each word by its bytes, so that the hash does not depend on the word's number."""
    hashes = np.empty(bounds.size - 1, np.uint64)
    for word in range(hashes.size):
        state = _Q
        for at in range(bounds[word], bounds[word + 1]):
            state = mix(state, np.uint64(data[at]), _P)
        hashes[word] = mix(state, state >> _S32, _Q)
    return hashes


@compile_loop
def hash_sequences(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Hash each text's words in their order to two numbers of 64 bits."""
    result = np.empty((offsets.size - 1, 2), np.uint64)
    for text in range(offsets.size - 1):
        one, other = _P, _Q
        for word in ids[offsets[text] : offsets[text + 1]]:
            one, other = mix(one, hashes[word], _P), mix(other, hashes[word], _Q)
        result[text, 0], result[text, 1] = one, other
    return result


@compile_loop
def find_non_ascii(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find which texts contain a character beyond ASCII."""
    non_ascii = np.zeros(bounds.size - 1, np.bool_)
    for text in range(non_ascii.size):
        together = np.uint8(0)
        for at in range(bounds[text], bounds[text + 1]):
            together |= data[at]
        non_ascii[text] = together >= 0x80
    return non_ascii


@compile_loop
def hash_folded(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash each text to two numbers of 64 bits, its ASCII lower-cased and white space collapsed."""
    result = np.empty((bounds.size - 1, 2), np.uint64)
    for text in range(bounds.size - 1):
        one, other = _P, _Q
        pending = False
        for at in range(bounds[text], bounds[text + 1]):
            byte = data[at]
            if byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31:
                pending = one != _P
                continue
            value = np.uint64(byte + 32 if 65 <= byte <= 90 else byte) + np.uint64(256 * pending)
            one, other = mix(one, value, _P), mix(other, value, _Q)
            pending = False
        result[text, 0], result[text, 1] = one, other
    return result


@compile_loop(forceinline=True)
def shingle_at(hashes: NDArray[np.uint64], words: NDArray[np.int32], place: Any) -> Any:
    """Return a text's shingle at a place: its words come first, then its pairs of neighbours."""
    if place < words.size:
        return hashes[words[place]]
    first = place - words.size
    return mix(hashes[words[first]] * _Q, hashes[words[first + 1]], _P)


@compile_loop
def count_shingles(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    n_counters: int,
) -> NDArray[np.uint32]:
    """Count shingles by the low bits of their hash: an upper bound on the occurrences of each."""
    counts = np.zeros(n_counters, np.uint32)
    for text in range(starts.size):
        words = ids[starts[text] : ends[text]]
        for place in range(2 * words.size - 1):
            counts[shingle_at(hashes, words, place) & np.uint64(n_counters - 1)] += 1
    return counts


@compile_loop
def rank_shingles(
    words: NDArray[np.int32], hashes: NDArray[np.uint64], counts: NDArray[np.uint32]
) -> NDArray[np.uint64]:
    """Return a text's distinct shingles, the rarest first: the count in the high 20 bits, the hash in the others."""
    ranked = np.empty(max(0, 2 * words.size - 1), np.uint64)
    for place in range(ranked.size):
        value = shingle_at(hashes, words, place)
        count = min(counts[value & np.uint64(counts.size - 1)], np.uint32(0xFFFFF))
        ranked[place] = np.uint64(count) << np.uint64(44) | value >> np.uint64(20)
    ranked.sort()
    n_distinct = 0
    for place in range(ranked.size):
        if place == 0 or ranked[place] != ranked[place - 1]:
            ranked[n_distinct] = ranked[place]
            n_distinct += 1
    return ranked[:n_distinct]


@compile_loop(forceinline=True)
def count_bits(value: Integer) -> Integer:
    """Count the ones among 64 bits."""
    value = value - ((value >> np.uint64(1)) & np.uint64(0x5555555555555555))
    value = (value & np.uint64(0x3333333333333333)) + ((value >> np.uint64(2)) & np.uint64(0x3333333333333333))
    value = (value + (value >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((value * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compile_loop
def fill_sketch(ranked: NDArray[np.uint64], bits: NDArray[np.uint64]) -> None:
    """Set a bit for each shingle; a bit that is missing from another text's sketch is a shingle missing there."""
    for value in ranked:
        bits[(value >> np.uint64(6)) & np.uint64(_SKETCH_CELLS - 1)] |= np.uint64(1) << (value & np.uint64(63))


@compile_loop
def count_missing(bits: NDArray[np.uint64], other: NDArray[np.uint64]) -> Integer:
    """Return a lower bound on the number of shingles that one text has and another lacks."""
    missing = 0
    for number in range(_SKETCH_CELLS):
        missing += count_bits(bits[number] & ~other[number])
    return missing


@compile_loop
def rarest_shingles(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    counts: NDArray[np.uint32],
    threshold: float,
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int64], NDArray[np.uint64]]:
    """Return the rarest shingles of each text, the text of each, and each text's size and sketch.

    Two sets that are similar enough share one of their first size - ceil(threshold × size) + 1 shingles in any common
    order (prefix filtering). Shingles that occur once are left out.
    """
    n_texts = starts.size
    max_keys = np.int64((1 - threshold) * 2 * (ends - starts).sum()) + 2 * n_texts
    keys, texts, filled = np.empty(max_keys, np.uint64), np.empty(max_keys, np.int32), 0
    sizes, sketches = np.zeros(n_texts, np.int64), np.zeros((n_texts, _SKETCH_CELLS), np.uint64)
    for text in range(n_texts):
        ranked = rank_shingles(ids[starts[text] : ends[text]], hashes, counts)
        sizes[text] = ranked.size
        fill_sketch(ranked, sketches[text])
        for place in range(ranked.size - np.int64(np.ceil(threshold * ranked.size - 1e-9)) + 1 if ranked.size else 0):
            if ranked[place] >> np.uint64(44) > 1:
                keys[filled], texts[filled] = ranked[place], text
                filled += 1
    return keys[:filled], texts[:filled], sizes, sketches
