"""Hashes of texts and of their shingles, and the search for similar texts, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

_P = np.uint64(0x9E3779B97F4A7C15)
_Q = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)
_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)
_WINDOW = 32  # a bucket's members are compared with so many that follow: no bucket costs its square


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
def band_keys(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64], multipliers: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return a key for each text that two texts share with chance (their similarity) ** (number of multipliers)."""
    keys = np.empty(offsets.size - 1, np.uint64)
    least = np.empty(multipliers.size, np.uint64)
    for text in range(keys.size):
        words = ids[offsets[text] : offsets[text + 1]]
        least[:] = _MOST
        for place in range(max(0, 2 * words.size - 1)):
            value = shingle(hashes, words, place)
            for number in range(multipliers.size):
                # High half folded in: a product alone keeps the order of few low bits.
                least[number] = min(least[number], mixed(value, value >> _S32, multipliers[number]))
        keys[text] = _P
        for number in range(multipliers.size):
            keys[text] = mixed(keys[text], least[number], _Q)
    return keys


@njit(cache=True, nogil=True)
def shingle_set(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64], text: Any
) -> NDArray[np.uint64]:
    """Return a text's shingles, rising, each once."""
    words = ids[offsets[text] : offsets[text + 1]]
    shingles = np.empty(max(0, 2 * words.size - 1), np.uint64)
    for place in range(shingles.size):
        shingles[place] = shingle(hashes, words, place)
    shingles.sort()
    n_distinct = 0
    for place in range(shingles.size):
        if place == 0 or shingles[place] != shingles[place - 1]:
            shingles[n_distinct] = shingles[place]
            n_distinct += 1
    return shingles[:n_distinct]


@njit(cache=True, nogil=True)
def set_sizes(offsets: NDArray[np.int64], ids: NDArray[np.int32], hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Count each text's distinct shingles."""
    sizes = np.empty(offsets.size - 1, np.int64)
    for text in range(sizes.size):
        sizes[text] = shingle_set(offsets, ids, hashes, text).size
    return sizes


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
def roots(parents: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each text's group."""
    return np.array([root(parents, text) for text in range(parents.size)], np.int64)


@njit(cache=True, nogil=True)
def unite_similar(
    offsets: NDArray[np.int64],
    ids: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    keys: NDArray[np.uint64],
    order: NDArray[np.int64],
    threshold: float,
    parents: NDArray[np.int64],
) -> None:
    """Unite the groups of texts with the same key whose shingles are similar enough."""
    for place in range(order.size - 1):
        one = order[place]
        shingles = np.empty(0, np.uint64)
        for further in range(place + 1, min(place + 1 + _WINDOW, order.size)):
            other = order[further]
            if keys[other] != keys[one]:
                break
            small, large = min(sizes[one], sizes[other]), max(sizes[one], sizes[other])
            if small + 1e-9 < threshold * large or root(parents, one) == root(parents, other):
                continue
            if shingles.size == 0:
                shingles = shingle_set(offsets, ids, hashes, one)
            shared = n_shared(shingles, shingle_set(offsets, ids, hashes, other))
            if shared + 1e-9 >= threshold * (small + large - shared):
                low, high = root(parents, one), root(parents, other)
                parents[max(low, high)] = min(low, high)
