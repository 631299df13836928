"""Compiled loops that align an item with a document, from seeds to both sides and over small gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.contamination.structures import MAX_GAP, Floats, Hashes, Index, Ints, Scratch

TRIAL = -2
_LOW_BITS, _ONE = np.uint64(63), np.uint64(1)


@compile_loop
def align_hits(
    index: Index,
    hashes: Hashes,
    n_words: Integer,
    hits: Ints,
    n_hits: Integer,
    document: Integer,
    scratch: Scratch,
) -> Integer:
    """Align the items that may be matched well enough; list them in the scratch and return their number.

    Seeds are extended to both sides, and words of the item that match are marked.
    """
    n_touched = 0
    words, weights, marks, item_marks = index.words, index.weights, scratch.marks, scratch.item_marks
    sums, regions, spans, bounds = scratch.sums, scratch.regions, scratch.spans, scratch.bounds
    for hit in range(n_hits):
        posting, at = hits[hit, 0], hits[hit, 1]
        text = index.posting_texts[posting]
        other = text ^ 1
        if bounds[text] < index.needed[text] and (
            scratch.bound_marks[other] != document or bounds[other] < index.needed[other]
        ):
            continue
        place, size = index.posting_places[posting], index.posting_sizes[posting]
        item, side = text >> 1, text & 1
        if item_marks[item] != document:
            item_marks[item] = document
            sums[item, 0] = sums[item, 1] = 0.0
            regions[item, 0] = regions[item, 1] = 0
            spans[item, 0] = spans[item, 2] = n_words
            spans[item, 1] = spans[item, 3] = 0
            scratch.items[n_touched] = item
            n_touched += 1
        spans[item, 2 * side] = min(spans[item, 2 * side], at)
        spans[item, 2 * side + 1] = max(spans[item, 2 * side + 1], at + size)
        if marks[place] == document and marks[place + size - 1] == document:
            continue
        low, high = index.text_ends[text], index.text_ends[text + 1]
        weight = 0.0
        for number in range(place, place + size):
            weight += mark_word(weights, number, document, marks)
        added, right = extend(words, weights, place + size, high, hashes, n_words, at + size, 1, document, marks)
        weight += added
        added, left = extend(words, weights, place - 1, low - 1, hashes, n_words, at - 1, -1, document, marks)
        sums[item, side] += weight + added
        spans[item, 2 * side] = min(spans[item, 2 * side], left + 1)
        spans[item, 2 * side + 1] = max(spans[item, 2 * side + 1], right)
        if side == 0 and right - left > regions[item, 1] - regions[item, 0]:
            regions[item, 0], regions[item, 1] = left + 1, right
    return n_touched


@compile_loop(forceinline=True)
def mark_word(weights: Floats, number: Integer, document: Integer, marks: Ints) -> float:
    """Mark a word of an item and return its weight, 0 if it was marked before."""
    if document == TRIAL:
        return weights[number]
    if marks[number] == document:
        return 0.0
    marks[number] = document
    return weights[number]


@compile_loop(forceinline=True)
def extend(
    words: Hashes,
    weights: Floats,
    place: Integer,
    stop: Integer,
    hashes: Hashes,
    n_words: Integer,
    at: Integer,
    step: Integer,
    document: Integer,
    marks: Ints,
) -> tuple[float, Integer]:
    """Match words one after the other in one direction; return their weight and where the document stops matching.

    Words are marked with the document; a `document` of `TRIAL` marks none and counts all.
    """
    weight = 0.0
    while place != stop and 0 <= at < n_words:
        if words[place] == hashes[at]:
            weight += mark_word(weights, place, document, marks)
            place += step
            at += step
            continue
        item_bits = collect_bits(words, place, (stop - place) * step, step)
        if item_bits & collect_bits(hashes, at, n_words - at if step > 0 else at + 1, step) == 0:
            break
        skipped, passed = find_resumption(words, place, stop, hashes, n_words, at, step)
        if skipped < 0:
            break
        place += skipped * step
        at += passed * step
    return weight, at


@compile_loop(forceinline=True)
def collect_bits(words: Hashes, at: Any, n: Integer, step: Any) -> Integer:
    """Set a bit for each word within reach, of n words from a place on: words that share no bit are different."""
    bits = np.uint64(0)
    for number in range(min(n, MAX_GAP + 1)):
        bits |= _ONE << (words[at + number * step] & _LOW_BITS)
    return bits


@compile_loop
def find_resumption(
    words: Hashes, place: Integer, stop: Integer, hashes: Hashes, n_words: Integer, at: Integer, step: Integer
) -> tuple[Integer, Integer]:
    """Return how many words of item and document to skip until two words match again, -1 if none do.

    The last word of the item is enough by itself.
    """
    for total in range(1, 2 * MAX_GAP + 1):
        for skipped in range(max(0, total - MAX_GAP), min(total, MAX_GAP) + 1):
            item_at, text_at = place + skipped * step, at + (total - skipped) * step
            if (stop - item_at) * step <= 0 or not 0 <= text_at < n_words:
                continue
            if words[item_at] != hashes[text_at]:
                continue
            if item_at + step == stop:
                return skipped, total - skipped
            if 0 <= text_at + step < n_words and words[item_at + step] == hashes[text_at + step]:
                return skipped, total - skipped
    return -1, -1
