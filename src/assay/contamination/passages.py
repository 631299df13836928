"""Compiled loops that find the passages of a corpus which share most words with an item, in any order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Integer
from assay.base.loops import compile_loop
from assay.contamination.kernels import find_prefix, finish_key
from assay.contamination.scanning import SEGMENT_BYTES, hash_words, max_size
from assay.contamination.structures import Floats, Hashes, Ints

MIN_PASSAGE_BYTES = 20
WINDOW_BYTES = 300  # a passage is a sentence, or as many neighbouring sentences as have so many bytes
WORD_COST = 0.002  # of two passages with the same words of an item the shorter one is better
_NEWLINE, _SPACE = 10, 32


class WordIndex(NamedTuple):
    """The words of the items that few items have: a hash table of words, and the items and weights of each word."""

    slots: Hashes
    numbers: NDArray[np.int32]
    word_ends: Ints
    word_items: Ints
    word_weights: Floats


class PassageCandidates(NamedTuple):
    """The best passages of every item so far, best first.

    `passages` holds their numbers, -1 for none.
    """

    scores: Floats
    passages: Ints


@compile_loop
def split_passages(data: NDArray[np.uint8], starts: Ints, ends: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the start, end and document of every sentence, and of every window of sentences that follow each other."""
    rows = np.empty((1024, 3), np.int64)
    n = 0
    for document in range(starts.size):
        sentence = starts[document]
        window = n
        for at in range(starts[document], ends[document]):
            is_last = at + 1 == ends[document]
            is_end = data[at] == _NEWLINE or (data[at] in (33, 46, 63) and (is_last or data[at + 1] <= _SPACE))
            if not (is_end or is_last):
                continue
            if at + 1 - sentence >= MIN_PASSAGE_BYTES:
                if n + 2 > len(rows):
                    larger = np.empty((2 * len(rows), 3), np.int64)
                    larger[:n] = rows[:n]
                    rows = larger
                rows[n, 0], rows[n, 1], rows[n, 2] = sentence, at + 1, document
                n += 1
                while window < n - 1 and at + 1 - rows[window, 0] > 2 * WINDOW_BYTES:
                    window += 1
                if window < n - 1 and at + 1 - rows[window, 0] >= WINDOW_BYTES // 2:
                    rows[n, 0], rows[n, 1], rows[n, 2] = rows[window, 0], at + 1, document
                    n += 1
            sentence = at + 1
    return rows[:n, 0].copy(), rows[:n, 1].copy(), rows[:n, 2].copy()


@compile_loop
def score_passages(
    data: NDArray[np.uint8],
    starts: Ints,
    ends: Ints,
    first: Integer,
    letters: NDArray[np.uint32],
    index: WordIndex,
    candidates: PassageCandidates,
) -> None:
    """Score passages, numbered from `first`, by the weighted share of the words of each item, and keep the best."""
    hashes, edges = np.empty(max_size(starts, ends) // 2 + 2, np.uint64), np.empty((2, SEGMENT_BYTES + 8), np.int64)
    n_items, n_kept = candidates.scores.shape
    word_marks, item_marks = np.full(index.word_ends.size, -1, np.int64), np.full(n_items, -1, np.int64)
    sums, items = np.zeros(n_items), np.empty(n_items, np.int64)
    for passage in range(starts.size):
        n_words = hash_words(data, starts[passage], ends[passage], letters, edges, hashes)
        n_touched = 0
        for at in range(n_words):
            word = find_prefix(index.slots, index.numbers, finish_key(hashes[at], 1))
            if word < 0 or word_marks[word] == passage:
                continue
            word_marks[word] = passage
            for posting in range(index.word_ends[word], index.word_ends[word + 1]):
                item = index.word_items[posting]
                if item_marks[item] != passage:
                    item_marks[item] = passage
                    sums[item] = 0.0
                    items[n_touched] = item
                    n_touched += 1
                sums[item] += index.word_weights[posting]
        for item in items[:n_touched]:
            score = sums[item] - WORD_COST * n_words
            rank = n_kept
            while rank > 0 and score > candidates.scores[item, rank - 1]:
                rank -= 1
            if rank < n_kept:
                for place in range(n_kept - 1, rank, -1):
                    candidates.scores[item, place] = candidates.scores[item, place - 1]
                    candidates.passages[item, place] = candidates.passages[item, place - 1]
                candidates.scores[item, rank], candidates.passages[item, rank] = score, first + passage
