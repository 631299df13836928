"""Compiled loops: documents are scanned once, seeds are looked up by rolling hash, and hits are aligned."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from assay.contamination.scanning import MIX, SHIFT, count_eights, hash_words, max_size

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_GAP = 3  # words that may be skipped at once, in the item and in the document
LONG_WORDS = 20  # from here on a match may leave out the beginning or the end
END_WORDS = 4  # of so many words of a shorter text one may be missing at the ends
ANSWER_DISTANCE = 60  # words between a question and a short answer
PREFIX_WORDS = 4  # seeds are looked up by their first words, then compared
TEXT, ANSWER, BOTH = 0, 1, 2
_BASE = np.uint64(0xD1342543DE82EF95)
_SIZE = np.uint64(0xA0761D6478BD642F)
_OUT = np.uint64(pow(int(_BASE), PREFIX_WORDS, 1 << 64))
_WORD_BITS, _LOW_BITS, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)


class Index(NamedTuple):
    """The benchmark: words of all items (question, then answer) and where their seeds are.

    Item i has the words from `starts[i]` to `starts[i + 1]`, its answer begins at `middles[i]`. Seeds that begin with
    prefix p have the places from `prefix_ends[p]` to `prefix_ends[p + 1]`; the seed that begins at a word is in
    `place_seeds`, -1 for none, and has `place_sizes` words. `required` is the smallest share of a question and of an
    answer that counts, above 1 for texts too short to be searched.
    """

    words: Hashes
    weights: Floats
    starts: Ints
    middles: Ints
    totals: Floats
    required: Floats
    filter_bits: Hashes
    slots: Hashes
    numbers: NDArray[np.int32]
    prefix_ends: Ints
    prefix_items: NDArray[np.int32]
    prefix_places: Ints
    place_seeds: NDArray[np.int32]
    place_sizes: NDArray[np.int32]


class Matches(NamedTuple):
    """The best document of every item so far, and in how many documents each seed occurred."""

    scores: Floats
    overlaps: Floats
    documents: Ints
    matched: NDArray[np.bool_]
    seed_documents: Ints


@njit(cache=True, nogil=True, forceinline=True)
def finish_key(state: Any, size: Any) -> Any:
    """Turn the rolling state of `size` words into a key; never 0, which marks an empty slot."""
    key = (state + np.uint64(size) * _SIZE) * MIX
    return (key ^ (key >> SHIFT)) | _ONE << _LOW_BITS


@njit(cache=True, nogil=True)
def hash_seeds(words: Hashes, places: Ints, sizes: Ints) -> Hashes:
    """Return the key of the seed of a given size at each place."""
    keys = np.empty(places.size, np.uint64)
    for number in range(places.size):
        state = np.uint64(0)
        for at in range(places[number], places[number] + sizes[number]):
            state = state * _BASE + words[at]
        keys[number] = finish_key(state, sizes[number])
    return keys


@njit(cache=True, nogil=True)
def fill_slots(keys: Hashes, slots: Hashes, numbers: NDArray[np.int32], filter_bits: Hashes) -> None:
    """Put distinct keys, numbered by position, into a hash table and a filter."""
    mask, filter_mask = np.uint64(slots.size - 1), np.uint64(filter_bits.size - 1)
    for number in range(keys.size):
        key = keys[number]
        slot = key & mask
        while slots[slot] != 0:
            slot = (slot + _ONE) & mask
        slots[slot], numbers[slot] = key, number
        filter_bits[key >> _WORD_BITS & filter_mask] |= _ONE << (key & _LOW_BITS)


@njit(cache=True, nogil=True, forceinline=True)
def find_prefix(index: Index, key: Any) -> Any:
    """Return the number of a prefix of seeds, -1 where the key is none."""
    mask = np.uint64(index.slots.size - 1)
    slot = key & mask
    while index.slots[slot] != 0:
        if index.slots[slot] == key:
            return np.int64(index.numbers[slot])
        slot = (slot + _ONE) & mask
    return np.int64(-1)


@njit(cache=True, nogil=True)
def find_candidates(hashes: Hashes, filter_bits: Hashes, places: Ints, keys: Hashes) -> Any:
    """Write place and key of every run of words that passes the filter, and return their number."""
    if hashes.size < PREFIX_WORDS:
        return 0
    mask, state, n = np.uint64(filter_bits.size - 1), np.uint64(0), 0
    for place in range(PREFIX_WORDS - 1):
        state = state * _BASE + hashes[place]
    gone = np.uint64(0)
    for place in range(hashes.size - PREFIX_WORDS + 1):
        state = state * _BASE + hashes[place + PREFIX_WORDS - 1] - _OUT * gone
        gone = hashes[place]
        key = finish_key(state, PREFIX_WORDS)
        if filter_bits[key >> _WORD_BITS & mask] >> (key & _LOW_BITS) & _ONE != 0:
            places[n], keys[n] = place, key
            n += 1
    return n


@njit(cache=True, nogil=True)
def search_documents(
    data: NDArray[np.uint8],
    starts: Ints,
    ends: Ints,
    first: Any,
    letters: NDArray[np.uint32],
    against: Any,
    index: Index,
    matches: Matches,
) -> None:
    """Search documents, numbered from `first`, and update the matches."""
    size = max_size(starts, ends)
    hashes, eights = np.empty(size // 2 + 2, np.uint64), np.empty(count_eights(size), np.uint64)
    places, keys, n_items = np.empty(hashes.size, np.int64), np.empty(hashes.size, np.uint64), index.middles.size
    marks = np.full(index.words.size, -1, np.int64)  # the last document that matched each word
    item_marks = np.full(n_items, -1, np.int64)
    seed_marks = np.full(matches.seed_documents.size, -1, np.int64)
    sums, regions, items = np.zeros((n_items, 2)), np.zeros((n_items, 2), np.int64), np.empty(n_items, np.int64)
    for document in range(starts.size):
        n_words = hash_words(data, starts[document], ends[document], letters, eights, hashes)
        n_candidates = find_candidates(hashes[:n_words], index.filter_bits, places, keys)
        n_touched = 0
        for candidate in range(n_candidates):
            prefix, at = find_prefix(index, keys[candidate]), places[candidate]
            if prefix < 0:
                continue
            for posting in range(index.prefix_ends[prefix], index.prefix_ends[prefix + 1]):
                place = index.prefix_places[posting]
                size = np.int64(index.place_sizes[place])
                if not is_run(index, place, hashes, at, size, n_words):
                    continue
                seed = index.place_seeds[place]
                if seed_marks[seed] != document:
                    seed_marks[seed] = document
                    matches.seed_documents[seed] += 1
                if marks[place] == document and marks[place + size - 1] == document:
                    continue
                item = np.int64(index.prefix_items[posting])
                if item_marks[item] != document:
                    item_marks[item] = document
                    sums[item, 0] = sums[item, 1] = 0.0
                    regions[item, 0] = regions[item, 1] = 0
                    items[n_touched] = item
                    n_touched += 1
                align(index, item, place, size, hashes[:n_words], at, document, marks, sums, regions)
        for item in items[:n_touched]:
            keep_best(index, item, hashes[:n_words], document, first, against, marks, sums, regions, matches)


@njit(cache=True, nogil=True, forceinline=True)
def is_run(index: Index, place: Any, hashes: Hashes, at: Any, size: Any, n_words: Any) -> Any:
    """Tell whether the words of a seed are in the document from `at` on."""
    same = 0
    while same < size and at + same < n_words and index.words[place + same] == hashes[at + same]:
        same += 1
    return same == size


@njit(cache=True, nogil=True)
def align(
    index: Index,
    item: Any,
    place: Any,
    size: Any,
    hashes: Hashes,
    at: Any,
    document: Any,
    marks: Ints,
    sums: Floats,
    regions: Ints,
) -> None:
    """Extend a seed to both sides, over gaps of a few words, and mark the words of the item that match."""
    middle = index.middles[item]
    is_answer = place >= middle
    low = middle if is_answer else index.starts[item]
    high = index.starts[item + 1] if is_answer else middle
    total = 0.0
    for number in range(place, place + size):
        total += mark_word(index, number, document, marks)
    weight, right = extend(index, place + size, high, hashes, at + size, 1, document, marks)
    total += weight
    weight, left = extend(index, place - 1, low - 1, hashes, at - 1, -1, document, marks)
    total += weight
    sums[item, 1 if is_answer else 0] += total
    if not is_answer and right - left > regions[item, 1] - regions[item, 0]:
        regions[item, 0], regions[item, 1] = left + 1, right


@njit(cache=True, nogil=True, forceinline=True)
def mark_word(index: Index, number: Any, document: Any, marks: Ints) -> Any:
    """Mark a word of an item and return its weight, 0 where it was marked before."""
    if marks[number] == document:
        return 0.0
    marks[number] = document
    return index.weights[number]


@njit(cache=True, nogil=True)
def extend(index: Index, place: Any, stop: Any, hashes: Hashes, at: Any, step: Any, document: Any, marks: Ints) -> Any:
    """Match words one after the other in one direction; return their weight and where the document stops matching."""
    weight = 0.0
    while place != stop and 0 <= at < hashes.size:
        if index.words[place] == hashes[at]:
            weight += mark_word(index, place, document, marks)
            place += step
            at += step
            continue
        skipped, passed = find_resumption(index, place, stop, hashes, at, step)
        if skipped < 0:
            break
        place += skipped * step
        at += passed * step
    return weight, at


@njit(cache=True, nogil=True)
def find_resumption(index: Index, place: Any, stop: Any, hashes: Hashes, at: Any, step: Any) -> Any:
    """Return how many words of item and document to skip until two words match again, -1 where none do.

    The last word of the item is enough by itself.
    """
    for total in range(1, 2 * MAX_GAP + 1):
        for skipped in range(max(0, total - MAX_GAP), min(total, MAX_GAP) + 1):
            item_at, text_at = place + skipped * step, at + (total - skipped) * step
            if (stop - item_at) * step <= 0 or not 0 <= text_at < hashes.size:
                continue
            if index.words[item_at] != hashes[text_at]:
                continue
            if item_at + step == stop:
                return skipped, total - skipped
            if 0 <= text_at + step < hashes.size and index.words[item_at + step] == hashes[text_at + step]:
                return skipped, total - skipped
    return -1, -1


@njit(cache=True, nogil=True)
def keep_best(
    index: Index,
    item: Any,
    hashes: Hashes,
    document: Any,
    first: Any,
    against: Any,
    marks: Ints,
    sums: Floats,
    regions: Ints,
    matches: Matches,
) -> None:
    """Keep this document for an item where enough of it matches, and more than in any document before."""
    first_word, middle, last_word = index.starts[item], index.middles[item], index.starts[item + 1]
    question = answer = 0.0
    if reaches_ends(marks[first_word:middle], document):
        question = share_of(sums[item, 0], index.totals[item, 0])
    if reaches_ends(marks[middle:last_word], document):
        answer = share_of(sums[item, 1], index.totals[item, 1])
    score = score_item(question, answer, index.required[item], against)
    if score <= 0.0:
        return
    if index.required[item, 1] > 1.0 and index.totals[item, 1] > 0 and question >= index.required[item, 0]:
        answer = find_answer(index, item, hashes, regions[item, 0], regions[item, 1])
    best, previous = matches.scores[item], matches.overlaps[item, 0] + matches.overlaps[item, 1]
    if score < best or (score == best and question + answer <= previous):
        return
    matches.scores[item] = score
    matches.overlaps[item, 0], matches.overlaps[item, 1] = question, answer
    matches.documents[item] = first + document
    for number in range(first_word, last_word):
        matches.matched[number] = marks[number] == document


@njit(cache=True, nogil=True)
def reaches_ends(marks: Ints, document: Any) -> Any:
    """Tell whether the match of a short text begins and ends where the text does, which few chance phrases do."""
    if marks.size >= LONG_WORDS:
        return True
    first, last = 0, marks.size
    while first < last and marks[first] != document:
        first += 1
    while last > first and marks[last - 1] != document:
        last -= 1
    return last > first and marks.size - (last - first) <= marks.size // END_WORDS


@njit(cache=True, nogil=True, forceinline=True)
def share_of(part: Any, total: Any) -> Any:
    """Return a share of at most 1, 0 of nothing."""
    return min(part / total, 1.0) if total > 0 else 0.0


@njit(cache=True, nogil=True, forceinline=True)
def score_item(question: Any, answer: Any, required: Any, against: Any) -> Any:
    """Return the larger of the overlaps that count, 0 where neither is large enough."""
    score = 0.0
    if against != ANSWER and question >= required[0]:
        score = question
    if against != TEXT and answer >= required[1]:
        score = max(score, answer)
    return score


@njit(cache=True, nogil=True)
def find_answer(index: Index, item: Any, hashes: Hashes, left: Any, right: Any) -> Any:
    """Return 1 where a short answer is verbatim near the question, else 0."""
    start, size = index.middles[item], index.starts[item + 1] - index.middles[item]
    for at in range(max(0, left - ANSWER_DISTANCE), min(hashes.size, right + ANSWER_DISTANCE) - size + 1):
        if left - size < at < right:
            continue
        same = 0
        while same < size and hashes[at + same] == index.words[start + same]:
            same += 1
        if same == size:
            return 1.0
    return 0.0
