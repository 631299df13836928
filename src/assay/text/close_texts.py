"""Short texts that differ in one or two words, which shingles do not find: each word is in several of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.text.corpus import Corpus

MIN_WORDS, MAX_WORDS = 8, 30  # longer texts with two other words share enough shingles
WORDS_PER_CHANGE, MAX_CHANGES = 5, 2
MAX_BUCKET = 20  # texts that share a third: more are a template, whose texts are siblings
MAX_PARTNERS = 2  # texts that differ in few words from one text: more are a template, too
MIN_USUAL = 3  # times that two words follow each other in the data
MIN_SHARED_WEIGHT = 0.75  # of the words, weighted by rarity: siblings differ in their rarest words
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def find_close_pairs(corpus: Corpus, rows: NDArray[np.int64], hashes: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Yield pairs of places in `rows` whose texts differ in at most one word of five, and in two at most.

    Two such texts have a third in common: the first, the last, or the one in the middle. Words that are replaced,
    left out or added count. No pair of texts that differ in a number, nor of a template.
    """
    lengths = corpus.lengths[rows]
    places = np.flatnonzero((lengths >= MIN_WORDS) & (lengths <= MAX_WORDS))
    if len(places) < 2:
        return
    weights = np.log1p(len(corpus) / np.maximum(corpus.document_frequencies(), 1))
    is_number = np.array([word[:1].isdigit() for word in corpus.vocabulary], np.bool_)
    pairs: set[tuple[int, int]] = set()
    for third in range(3):
        keys = _hash_thirds(corpus, rows[places], hashes, third)
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
        sizes = np.diff(np.append(starts, len(order)))
        for bucket in np.flatnonzero((sizes > 1) & (sizes <= MAX_BUCKET)).tolist():
            members = places[order[starts[bucket] : starts[bucket] + sizes[bucket]]]
            pairs.update(combinations(sorted(members.tolist()), 2))
    close = [
        (first, second)
        for first, second in sorted(pairs)
        if _are_close(corpus, int(rows[first]), int(rows[second]), weights, is_number)
    ]
    if close:
        phrases = Phrases(corpus)
        close = [pair for pair in close if not phrases.are_siblings(int(rows[pair[0]]), int(rows[pair[1]]))]
    partners = Counter(place for pair in close for place in pair)
    yield from (pair for pair in close if max(partners[pair[0]], partners[pair[1]]) <= MAX_PARTNERS)


class Phrases:
    """How often words follow each other, to tell a changed word from another name in the same place of a template."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        ids = corpus.ids.astype(np.int64)
        keys = ids[:-1] * len(corpus.vocabulary) + ids[1:]
        is_inside = np.ones(len(keys), np.bool_)
        is_inside[np.clip(corpus.offsets[1:-1] - 1, 0, len(keys) - 1)] = False
        self._keys, self._counts = np.unique(keys[is_inside], return_counts=True)

    def are_siblings(self, first: int, second: int) -> bool:
        """Return True if each text has words that the other has not, and all of these are usual where they are."""
        a, b = (
            self._corpus.ids[slice(*self._corpus.offsets[row : row + 2])].astype(np.int64) for row in (first, second)
        )
        only_a, only_b = np.flatnonzero(~np.isin(a, b)), np.flatnonzero(~np.isin(b, a))
        if not len(only_a) or not len(only_b):
            return False
        return all(
            self._is_usual(words, place) for words, places in ((a, only_a), (b, only_b)) for place in places.tolist()
        )

    def _is_usual(self, words: NDArray[np.int64], place: int) -> bool:
        """Return True if a word often follows the word before it, or often precedes the word after it."""
        n = len(self._corpus.vocabulary)
        keys = [words[at] * n + words[at + 1] for at in (place - 1, place) if 0 <= at < len(words) - 1]
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return bool(((self._keys[found] == keys) & (self._counts[found] >= MIN_USUAL)).any())


def _hash_thirds(corpus: Corpus, rows: NDArray[np.int64], hashes: NDArray[np.uint64], third: int) -> NDArray[np.uint64]:
    """Hash one third of each text, and the number of words for the middle one, whose place depends on it."""
    starts, lengths = corpus.offsets[rows], corpus.lengths[rows]
    size = lengths // 3
    begins = starts + (0 if third == 0 else size if third == 1 else lengths - size)
    sizes = lengths - 2 * size if third == 1 else size
    owners = np.repeat(np.arange(len(rows)), sizes)
    steps = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    words = hashes[corpus.ids[begins[owners] + steps]]
    with np.errstate(over="ignore"):
        mixed = (words + steps.astype(np.uint64) * _MULTIPLIER) * (words | np.uint64(1))
        keys = np.zeros(len(rows), np.uint64)
        np.add.at(keys, owners, mixed)
        return keys * _MULTIPLIER + (lengths if third == 1 else sizes).astype(np.uint64)


def _are_close(
    corpus: Corpus, first: int, second: int, weights: NDArray[np.float64], is_number: NDArray[np.bool_]
) -> bool:
    """Return True if two texts differ in few words that are not their rarest, and in no number."""
    a, b = (corpus.ids[corpus.offsets[row] : corpus.offsets[row + 1]].tolist() for row in (first, second))
    limit = min(MAX_CHANGES, min(len(a), len(b)) // WORDS_PER_CHANGE)
    if abs(len(a) - len(b)) > limit or _count_changes(a, b, limit) > limit:
        return False
    only_a, only_b = set(a) - set(b), set(b) - set(a)
    if not (only_a or only_b) or any(is_number[word] for word in only_a | only_b):
        return False
    shared = sum(weights[word] for word in set(a) & set(b))
    changed = (sum(weights[word] for word in only_a) + sum(weights[word] for word in only_b)) / 2
    return bool(shared >= MIN_SHARED_WEIGHT * (shared + changed))


def _count_changes(a: list[int], b: list[int], limit: int) -> int:
    """Return the edit distance of two lists of words, or more than the limit.

    >>> _count_changes([1, 2, 3], [1, 4, 3], 2), _count_changes([1, 2, 3], [2, 3], 2)
    (1, 1)
    """
    start = next((place for place, (word, other) in enumerate(zip(a, b, strict=False)) if word != other), None)
    if start is None:  # one text begins with the other
        return abs(len(a) - len(b))
    stop = 0
    while stop < min(len(a), len(b)) - start and a[-1 - stop] == b[-1 - stop]:
        stop += 1
    a, b = a[start : len(a) - stop], b[start : len(b) - stop]
    too_many = limit + 1
    row = [min(place, too_many) for place in range(len(b) + 1)]
    for number, word in enumerate(a, start=1):
        first, last = max(number - limit, 1), min(number + limit, len(b))  # other cells are above the limit
        previous, row[first - 1] = row[first - 1], number if first == 1 else too_many
        for place in range(first, last + 1):
            changes = min(previous + (word != b[place - 1]), row[place - 1] + 1, row[place] + 1)
            previous, row[place] = row[place], changes
        if min(row[first - 1 : last + 1]) > limit:
            return too_many
    return row[-1]
