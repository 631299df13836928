"""Compiled loops: documents are scanned once, seeds are looked up by rolling hash, and hits are aligned."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from assay.text.scanner.word_table import hash_word
from assay.text.scanner.words import classify_bytes, is_ascii, next_ascii_word, next_word

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_GAP = 3  # words that may be skipped at once, in the item and in the document
ANSWER_DISTANCE = 60  # words between a question and a short answer
TEXT, ANSWER, BOTH = 0, 1, 2
_BASE = np.uint64(0xD1342543DE82EF95)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SIZE = np.uint64(0xA0761D6478BD642F)
_SHIFT = np.uint64(29)
_WORD_BITS, _LOW_BITS, _ONE = np.uint64(6), np.uint64(63), np.uint64(1)
_A = ord("A")
_NEWLINE, _CARRIAGE_RETURN, _TAB, _SPACE = 10, 13, 9, 32


class Index(NamedTuple):
    """The benchmark: words of all items (question, then answer) and where their seeds are.

    Item i has the words from `starts[i]` to `starts[i + 1]`, its answer begins at `middles[i]`. Seed s has the places
    from `seed_ends[s]` to `seed_ends[s + 1]`; the seed that begins at a word is in `place_seeds`, -1 for none. `required` is the smallest share of a question and of an answer that
    counts, above 1 for texts too short to be searched.
    """

    words: Hashes
    weights: Floats
    starts: Ints
    middles: Ints
    totals: Floats
    required: Floats
    sizes: Ints
    filter_bits: Hashes
    slots: Hashes
    numbers: NDArray[np.int32]
    seed_ends: Ints
    seed_items: NDArray[np.int32]
    seed_places: Ints
    place_seeds: NDArray[np.int32]
    place_sizes: NDArray[np.int32]


class Matches(NamedTuple):
    """The best document of every item so far, and in how many documents each seed occurred."""

    scores: Floats
    overlaps: Floats
    documents: Ints
    matched: NDArray[np.bool_]
    seed_documents: Ints


@njit(cache=True, nogil=True)
def split_paragraphs(data: NDArray[np.uint8], size: Any, is_last: Any) -> Any:
    """Return where paragraphs start and end, and where the first incomplete one starts."""
    starts, ends = np.empty(size // 3 + 2, np.int64), np.empty(size // 3 + 2, np.int64)
    n, at, start, last = 0, 0, -1, 0
    complete = 0
    while at < size:
        line, blank = at, True
        while at < size and data[at] != _NEWLINE:
            byte = data[at]
            blank &= byte == _SPACE or byte == _TAB or byte == _CARRIAGE_RETURN
            at += 1
        ended = at < size
        if not ended and not is_last:
            break
        if blank:
            if start >= 0:
                starts[n], ends[n] = start, last
                n += 1
                start = -1
            complete = at + 1
        else:
            start = line if start < 0 else start
            last = at
        at += 1
    if is_last:
        if start >= 0:
            starts[n], ends[n] = start, last
            n += 1
        complete = size
    return starts[:n].copy(), ends[:n].copy(), min(complete, size)


@njit(cache=True, nogil=True)
def hash_words(
    data: NDArray[np.uint8], at: Any, end: Any, letters: NDArray[np.uint32], kinds: Any, word: Hashes, hashes: Hashes
) -> Any:
    """Hash the lower-cased words of a text into `hashes` and return their number."""
    n, plain = 0, is_ascii(data, at, end)
    while True:
        if plain:
            length, at = next_ascii_word(data, at, end, kinds, True, word)
        else:
            length, at = next_word(data, at, end, kinds, letters, True, word)
        if length == 0:
            return n
        hashes[n] = hash_word(word, length)
        n += 1


@njit(cache=True, nogil=True)
def hash_texts(data: NDArray[np.uint8], starts: Ints, ends: Ints, letters: NDArray[np.uint32]) -> Any:
    """Hash the words of texts; return the hashes and where each text's hashes end."""
    kinds = classify_bytes(letters)
    hashes = np.empty(np.sum(ends - starts) // 2 + starts.size + 1, np.uint64)
    bounds = np.zeros(starts.size + 1, np.int64)
    word = np.empty(max_size(starts, ends) // 4 + 2, np.uint64)
    for text in range(starts.size):
        first = bounds[text]
        bounds[text + 1] = first + hash_words(data, starts[text], ends[text], letters, kinds, word, hashes[first:])
    return hashes[: bounds[-1]].copy(), bounds


@njit(cache=True, nogil=True)
def max_size(starts: Ints, ends: Ints) -> Any:
    """Return the size of the longest text in bytes."""
    size = 0
    for text in range(starts.size):
        size = max(size, ends[text] - starts[text])
    return size


@njit(cache=True, nogil=True, forceinline=True)
def finish_key(state: Any, size: Any) -> Any:
    """Turn the rolling state of `size` words into a key; never 0, which marks an empty slot."""
    key = (state + np.uint64(size) * _SIZE) * _MIX
    return (key ^ (key >> _SHIFT)) | _ONE << _LOW_BITS


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
def find_seed(index: Index, key: Any) -> Any:
    """Return the number of a seed, -1 where the key is none."""
    mask = np.uint64(index.slots.size - 1)
    slot = key & mask
    while index.slots[slot] != 0:
        if index.slots[slot] == key:
            return np.int64(index.numbers[slot])
        slot = (slot + _ONE) & mask
    return np.int64(-1)


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
    kinds = classify_bytes(letters)
    longest = max_size(starts, ends)
    word, hashes = np.empty(longest // 4 + 2, np.uint64), np.empty(longest // 2 + 2, np.uint64)
    n_items = index.middles.size
    marks = np.full(index.words.size, -1, np.int64)  # the last document that matched each word
    item_marks = np.full(n_items, -1, np.int64)
    seed_marks = np.full(matches.seed_documents.size, -1, np.int64)
    sums, regions, items = np.zeros((n_items, 2)), np.zeros((n_items, 2), np.int64), np.empty(n_items, np.int64)
    for document in range(starts.size):
        n_words = hash_words(data, starts[document], ends[document], letters, kinds, word, hashes)
        n_touched = 0
        for size in index.sizes:
            if n_words < size:
                continue
            out = _ONE
            for _ in range(size):
                out *= _BASE
            state = np.uint64(0)
            for at in range(n_words):
                state = state * _BASE + hashes[at]
                if at >= size:
                    state -= out * hashes[at - size]
                key = finish_key(state, size)
                cell = index.filter_bits[key >> _WORD_BITS & np.uint64(index.filter_bits.size - 1)]
                if at < size - 1 or cell >> (key & _LOW_BITS) & _ONE == 0:
                    continue
                seed = find_seed(index, key)
                if seed < 0:
                    continue
                if seed_marks[seed] != document:
                    seed_marks[seed] = document
                    matches.seed_documents[seed] += 1
                for posting in range(index.seed_ends[seed], index.seed_ends[seed + 1]):
                    item, place = np.int64(index.seed_items[posting]), index.seed_places[posting]
                    if marks[place] == document and marks[place + size - 1] == document:
                        continue
                    if item_marks[item] != document:
                        item_marks[item] = document
                        sums[item] = 0.0
                        regions[item] = 0
                        items[n_touched] = item
                        n_touched += 1
                    align(index, item, place, size, hashes[:n_words], at - size + 1, document, marks, sums, regions)
        for item in items[:n_touched]:
            keep_best(index, item, hashes[:n_words], document, first, against, marks, sums, regions, matches)


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
def extend(
    index: Index, place: Any, stop: Any, hashes: Hashes, at: Any, step: Any, document: Any, marks: Ints
) -> Any:
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
    question = share_of(sums[item, 0], index.totals[item, 0])
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
    for number in range(index.starts[item], index.starts[item + 1]):
        matches.matched[number] = marks[number] == document


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
