"""Compiled loops: documents are scanned once, seeds are looked up by rolling hash, and hits are aligned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.contamination.alignment import TRIAL, align_hits, collect_bits, extend
from assay.contamination.overlaps import keep_best
from assay.contamination.scanning import MIX, SEGMENT_BYTES, SHIFT, hash_words, max_size
from assay.contamination.structures import PREFIX_WORDS, Hashes, Index, Ints, Matches, Scratch

_BASE = np.uint64(0xD1342543DE82EF95)
_SIZE = np.uint64(0xA0761D6478BD642F)
_OUT = np.uint64(pow(int(_BASE), PREFIX_WORDS, 1 << 64))
_WORD_BITS, _SECOND_BIT, _LOW_BITS, _ONE = np.uint64(6), np.uint64(56), np.uint64(63), np.uint64(1)


@compile_loop(forceinline=True)
def finish_key(state: Integer, size: Integer) -> Integer:
    """Turn the rolling state of `size` words into a key; never 0, which marks an empty slot."""
    key = (state + np.uint64(size) * _SIZE) * MIX
    return (key ^ (key >> SHIFT)) | _ONE << _LOW_BITS


@compile_loop
def hash_seeds(words: Hashes, places: Ints, sizes: Ints) -> Hashes:
    """Return the key of the seed of a given size at each place."""
    keys = np.empty(places.size, np.uint64)
    for number in range(places.size):
        state = np.uint64(0)
        for at in range(places[number], places[number] + sizes[number]):
            state = state * _BASE + words[at]
        keys[number] = finish_key(state, sizes[number])
    return keys


@compile_loop
def fill_slots(keys: Hashes, slots: Hashes, numbers: NDArray[np.int32], filter_bits: Hashes) -> None:
    """Put distinct keys, numbered by position, into a hash table and a filter."""
    mask, filter_mask = np.uint64(slots.size - 1), np.uint64(filter_bits.size - 1)
    for number in range(keys.size):
        key = keys[number]
        slot = key & mask
        while slots[slot] != 0:
            slot = (slot + _ONE) & mask
        slots[slot], numbers[slot] = key, number
        bits = _ONE << (key & _LOW_BITS) | _ONE << (key >> _SECOND_BIT & _LOW_BITS)
        filter_bits[key >> _WORD_BITS & filter_mask] |= bits


@compile_loop(forceinline=True)
def find_prefix(slots: Hashes, numbers: NDArray[np.int32], key: Integer) -> Integer:
    """Return the number of a prefix of seeds, -1 if the key is none."""
    mask = np.uint64(slots.size - 1)
    slot = key & mask
    while slots[slot] != 0:
        if slots[slot] == key:
            return np.int64(numbers[slot])
        slot = (slot + _ONE) & mask
    return np.int64(-1)


@compile_loop
def find_candidates(hashes: Hashes, filter_bits: Hashes, places: Ints, keys: Hashes) -> Integer:
    """Write place and key of every run of words that passes the filter, and return their number."""
    if hashes.size < PREFIX_WORDS:
        return 0
    mask, state, n = np.uint64(filter_bits.size - 1), np.uint64(0), np.int64(0)
    for place in range(PREFIX_WORDS - 1):
        state = state * _BASE + hashes[place]
    gone = np.uint64(0)
    for place in range(hashes.size - PREFIX_WORDS + 1):
        state = state * _BASE + (hashes[place + PREFIX_WORDS - 1] - _OUT * gone)
        gone = hashes[place]
        key = finish_key(state, PREFIX_WORDS)
        bits = filter_bits[key >> _WORD_BITS & mask]
        places[n], keys[n] = place, key  # written in any case: a branch would often be predicted wrongly
        n += np.int64(bits >> (key & _LOW_BITS) & bits >> (key >> _SECOND_BIT & _LOW_BITS) & _ONE)
    return n


@compile_loop
def search_documents(
    data: NDArray[np.uint8],
    starts: Ints,
    ends: Ints,
    first: Integer,
    letters: NDArray[np.uint32],
    against: Integer,
    index: Index,
    scratch: Scratch,
    matches: Matches,
) -> None:
    """Search documents, numbered from `first`, and update the matches. `scratch` serves all documents of a file."""
    size = max_size(starts, ends)
    hashes, edges = np.empty(size // 2 + 2, np.uint64), np.empty((2, SEGMENT_BYTES + 8), np.int64)
    places, keys = np.empty(hashes.size, np.int64), np.empty(hashes.size, np.uint64)
    hits = np.empty((1024, 2), np.int64)
    for number in range(starts.size):
        document = first + number
        n_words = hash_words(data, starts[number], ends[number], letters, edges, hashes)
        n_candidates = find_candidates(hashes[:n_words], index.filter_bits, places, keys)
        if n_candidates == 0:
            continue
        hits, n_hits, is_promising = find_hits(
            index, hashes, n_words, places, keys, n_candidates, document, scratch, matches.seed_documents, hits
        )
        if is_promising:
            n_touched = align_hits(index, hashes, n_words, hits, n_hits, document, scratch)
            for item in scratch.items[:n_touched]:
                keep_best(index, item, hashes[:n_words], document, against, scratch, matches)


@compile_loop(forceinline=True)
def find_hits(
    index: Index,
    hashes: Hashes,
    n_words: Integer,
    places: Ints,
    keys: Hashes,
    n_candidates: Integer,
    document: Integer,
    scratch: Scratch,
    seed_documents: Ints,
    hits: Ints,
) -> tuple[Ints, Integer, bool]:
    """List the seeds of a document as postings and places, and tell whether any text may be matched well enough.

    `bounds` adds up, for every text of an item, the weight its seeds match at most: most seeds are chance phrases, and
    their items need no alignment.
    """
    n_hits, is_promising = 0, False
    words, weights = index.words, index.weights
    seed_marks, bound_marks, bounds = scratch.seed_marks, scratch.bound_marks, scratch.bounds
    for candidate in range(n_candidates):
        prefix, at = find_prefix(index.slots, index.numbers, keys[candidate]), places[candidate]
        if prefix < 0:
            continue
        before = collect_bits(hashes, at - 1, at, -1)
        for posting in range(index.prefix_ends[prefix], index.prefix_ends[prefix + 1]):
            place, size = index.posting_places[posting], index.posting_sizes[posting]
            if size > PREFIX_WORDS and not is_run(words, place, hashes, at, size, n_words):
                continue
            seed = index.posting_seeds[posting]
            if seed_marks[seed] != document:
                seed_marks[seed] = document
                seed_documents[seed] += 1
            if n_hits == len(hits):
                hits = double_rows(hits)
            hits[n_hits, 0], hits[n_hits, 1] = posting, at
            n_hits += 1
            text = index.posting_texts[posting]
            if bound_marks[text] != document:
                bound_marks[text] = document
                bounds[text] = 0.0
            if bounds[text] < index.needed[text]:
                bound, right = index.posting_weights[posting], at + size
                if before & index.before_bits[posting] != 0:
                    low = index.text_ends[text] - 1
                    bound += extend(words, weights, place - 1, low, hashes, n_words, at - 1, -1, TRIAL, places)[0]
                if collect_bits(hashes, right, n_words - right, 1) & index.after_bits[posting] != 0:
                    high = index.text_ends[text + 1]
                    bound += extend(words, weights, place + size, high, hashes, n_words, right, 1, TRIAL, places)[0]
                bounds[text] += bound
                is_promising |= bounds[text] >= index.needed[text]
    return hits, n_hits, is_promising


@compile_loop(forceinline=True)
def is_run(words: Hashes, place: Integer, hashes: Hashes, at: Integer, size: Integer, n_words: Integer) -> bool:
    """Return whether the words of a seed are in the document from `at` on."""
    same = 0
    while same < size and at + same < n_words and words[place + same] == hashes[at + same]:
        same += 1
    return same == size


@compile_loop
def double_rows(rows: Ints) -> Ints:
    """Return a copy with twice as many rows."""
    larger = np.empty((2 * len(rows), rows.shape[1]), np.int64)
    larger[: len(rows)] = rows
    return larger
