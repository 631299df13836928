"""Hashes of texts and of their shingles, and the search for similar texts, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

_P = np.uint64(0x9E3779B97F4A7C15)
_Q = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)
_SKETCH = 4  # words of 64 bits
_WINDOW = 64  # a bucket's members are compared with so many that follow: no bucket costs its square


@njit(cache=True, nogil=True, forceinline=True)
def mixed(state: Any, value: Any, prime: Any) -> Any:
    """Fold a value into a hash."""
    state = (state ^ value) * prime
    return state ^ (state >> _S29)


@njit(cache=True, nogil=True)
def word_hashes(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash each word by its bytes, so that the hash does not depend on the word's number."""
    hashes = np.empty(bounds.size - 1, np.uint64)
    for word in range(hashes.size):
        state = _Q
        for at in range(bounds[word], bounds[word + 1]):
            state = mixed(state, np.uint64(data[at]), _P)
        hashes[word] = mixed(state, state >> _S32, _Q)
    return hashes


@njit(cache=True, nogil=True)
def sequence_hashes(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Hash each text's words in their order to twice 64 bits."""
    result = np.empty((offsets.size - 1, 2), np.uint64)
    for text in range(offsets.size - 1):
        one, other = _P, _Q
        for word in ids[offsets[text] : offsets[text + 1]]:
            one, other = mixed(one, hashes[word], _P), mixed(other, hashes[word], _Q)
        result[text, 0], result[text, 1] = one, other
    return result


@njit(cache=True, nogil=True)
def has_high_bytes(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which texts hold a character beyond ASCII."""
    found = np.zeros(bounds.size - 1, np.bool_)
    for text in range(found.size):
        together = np.uint8(0)
        for at in range(bounds[text], bounds[text + 1]):
            together |= data[at]
        found[text] = together >= 0x80
    return found


@njit(cache=True, nogil=True)
def folded_hashes(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash each text to twice 64 bits, its ASCII lower-cased and white space collapsed."""
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
            one, other = mixed(one, value, _P), mixed(other, value, _Q)
            pending = False
        result[text, 0], result[text, 1] = one, other
    return result


@njit(cache=True, nogil=True, forceinline=True)
def shingle(hashes: NDArray[np.uint64], words: NDArray[np.int32], place: Any) -> Any:
    """Return shingle number `place` of a text: its words first, then its pairs of neighbours."""
    if place < words.size:
        return hashes[words[place]]
    first = place - words.size
    return mixed(hashes[words[first]] * _Q, hashes[words[first + 1]], _P)


@njit(cache=True, nogil=True)
def shingle_counts(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64], n_counters: int
) -> NDArray[np.uint32]:
    """Count shingles by the low bits of their hash: at least as often as each comes."""
    counts = np.zeros(n_counters, np.uint32)
    for text in range(offsets.size - 1):
        words = ids[offsets[text] : offsets[text + 1]]
        for place in range(2 * words.size - 1):
            counts[shingle(hashes, words, place) & np.uint64(n_counters - 1)] += 1
    return counts


@njit(cache=True, nogil=True)
def ranked_shingles(words: NDArray[np.int32], hashes: NDArray[np.uint64], counts: NDArray[np.uint32]) -> Any:
    """Return a text's distinct shingles, the rarest first: the count in the high 20 bits, the hash in the others."""
    ranked = np.empty(max(0, 2 * words.size - 1), np.uint64)
    for place in range(ranked.size):
        value = shingle(hashes, words, place)
        count = min(counts[value & np.uint64(counts.size - 1)], np.uint32(0xFFFFF))
        ranked[place] = np.uint64(count) << np.uint64(44) | value >> np.uint64(20)
    ranked.sort()
    n_distinct = 0
    for place in range(ranked.size):
        if place == 0 or ranked[place] != ranked[place - 1]:
            ranked[n_distinct] = ranked[place]
            n_distinct += 1
    return ranked[:n_distinct]


@njit(cache=True, nogil=True, forceinline=True)
def n_bits(value: Any) -> Any:
    """Count the ones among 64 bits."""
    value = value - ((value >> np.uint64(1)) & np.uint64(0x5555555555555555))
    value = (value & np.uint64(0x3333333333333333)) + ((value >> np.uint64(2)) & np.uint64(0x3333333333333333))
    value = (value + (value >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((value * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def sketch(ranked: NDArray[np.uint64], bits: NDArray[np.uint64]) -> None:
    """Set a bit for each shingle; a bit that another text's sketch has not is a shingle it has not."""
    for value in ranked:
        bits[(value >> np.uint64(6)) & np.uint64(_SKETCH - 1)] |= np.uint64(1) << (value & np.uint64(63))


@njit(cache=True, nogil=True)
def n_missing(bits: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
    """Return a number of shingles that one text has and another has not, at the least."""
    missing = 0
    for number in range(_SKETCH):
        missing += n_bits(bits[number] & ~other[number])
    return missing


@njit(cache=True, nogil=True)
def prefixes(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    counts: NDArray[np.uint32],
    threshold: float,
) -> Any:
    """Return the rarest shingles of each text, the text each belongs to, and each text's size and sketch.

    Two sets that are similar enough share one of their first size - ceil(threshold × size) + 1 shingles in any common
    order. Shingles that come once are left out.
    """
    n_texts = offsets.size - 1
    most = np.int64((1 - threshold) * 2 * ids.size) + 2 * n_texts
    keys, texts, filled = np.empty(most, np.uint64), np.empty(most, np.int32), 0
    sizes, sketches = np.zeros(n_texts, np.int64), np.zeros((n_texts, _SKETCH), np.uint64)
    for text in range(n_texts):
        ranked = ranked_shingles(ids[offsets[text] : offsets[text + 1]], hashes, counts)
        sizes[text] = ranked.size
        sketch(ranked, sketches[text])
        for place in range(ranked.size - np.int64(np.ceil(threshold * ranked.size - 1e-9)) + 1 if ranked.size else 0):
            if ranked[place] >> np.uint64(44) > 1:
                keys[filled], texts[filled] = ranked[place], text
                filled += 1
    return keys[:filled], texts[:filled], sizes, sketches


@njit(cache=True, nogil=True)
def n_shared(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
    """Count what two rising arrays share."""
    shared = left = right = 0
    while left < one.size and right < other.size:
        a, b = one[left], other[right]
        shared += a == b
        left += a <= b
        right += b <= a
    return shared


@njit(cache=True, nogil=True)
def root(parents: NDArray[np.int64], text: Any) -> Any:
    """Return the text that stands for a text's group."""
    while parents[text] != text:
        parents[text] = parents[parents[text]]
        text = parents[text]
    return text


@njit(cache=True, nogil=True)
def unite_similar(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    counts: NDArray[np.uint32],
    sizes: NDArray[np.int64],
    sketches: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    texts: NDArray[np.int64],
    threshold: float,
) -> NDArray[np.int64]:
    """Return each text's group; `keys` (rising) and `texts` tell who shares a shingle, all else is checked here."""
    parents = np.arange(sizes.size)
    for place in range(texts.size - 1):
        one = texts[place]
        shingles = np.empty(0, np.uint64)
        for further in range(place + 1, min(place + 1 + _WINDOW, texts.size)):
            other = texts[further]
            if keys[further] != keys[place]:
                break
            total = sizes[one] + sizes[other]
            needed = threshold / (1 + threshold) * total - 1e-9  # shared / (total - shared) >= threshold
            if min(sizes[one] - n_missing(sketches[one], sketches[other]), sizes[other]) < needed:
                continue
            if root(parents, one) == root(parents, other):
                continue
            if shingles.size == 0:
                shingles = ranked_shingles(ids[offsets[one] : offsets[one + 1]], hashes, counts)
            shared = n_shared(shingles, ranked_shingles(ids[offsets[other] : offsets[other + 1]], hashes, counts))
            if shared >= needed:
                low, high = root(parents, one), root(parents, other)
                parents[max(low, high)] = min(low, high)
    return np.array([root(parents, text) for text in range(sizes.size)])
