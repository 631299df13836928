"""Index the items of a benchmark: hashed words, their weights, and seeds to look for."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.contamination.documents import pack_texts
from assay.contamination.kernels import fill_slots, hash_seeds
from assay.contamination.scanning import hash_texts
from assay.contamination.structures import MAX_GAP, MAX_OTHERS, PREFIX_WORDS, Hashes, Index, Ints, Matches, Scratch
from assay.text.characters import word_letters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.contamination.items import BenchmarkTexts

MIN_QUESTION_WORDS = 5
MIN_ANSWER_WORDS = 8
VERBATIM_WORDS = 8  # shorter texts must match completely
SHORT_SHARE, SHORT_SLOPE = 0.8, 0.025  # a text of eight words must match so far, and each further word lowers this
NEVER = 2.0  # a share that no match reaches
VERBATIM = 1 - 1e-9
LONG_WORDS = 60  # shorter texts have seeds of four words: with one word in ten dropped, few longer runs are left
MAX_SEED_ITEMS, MAX_SEED_SHARE = 50, 0.02  # a seed of more distinct texts than both is a template of the benchmark
ROUNDING = 1e-6  # bounds on the weight of a match are compared with this tolerance
_FILTER_BITS = 32


def build_index(texts: BenchmarkTexts, *, seed_words: int, threshold: float) -> Index:
    """Index questions and answers; words are weighted by the logarithm of 1 + items / items that have them."""
    questions, question_ends = _hash(texts.questions)
    answers, answer_ends = _hash([""] * len(texts.ids) if texts.answers is None else texts.answers)
    n_items = len(texts.ids)
    ends = np.sort(np.concatenate([question_ends + answer_ends, question_ends[1:] + answer_ends[:-1]]))
    starts, middles = ends[::2].copy(), ends[1::2].copy()
    is_question = np.repeat(np.tile([True, False], n_items), np.diff(ends))
    words = np.empty(len(is_question), np.uint64)
    words[is_question], words[~is_question] = questions, answers
    weights, firsts = _weigh_words(words, np.repeat(np.arange(2 * n_items), np.diff(ends)), n_items)
    totals = np.add.reduceat(np.append(weights, 0.0), ends[:-1]) * (np.diff(ends) > 0)
    sizes = np.array([choose_seed_size(n, seed_words) for n in np.diff(ends)], np.int64)
    sizes[1::2][np.diff(ends)[1::2] < MIN_ANSWER_WORDS] = 0
    places, place_sizes, segments = _list_places(ends, sizes)
    texts_of_places = _number_texts(words, ends)[segments]
    keys, prefixes = (
        hash_seeds(words, places, place_sizes),
        hash_seeds(words, places, np.full_like(places, PREFIX_WORDS)),
    )
    kept = _find_rare(keys, texts_of_places) & _find_rare(prefixes, texts_of_places)
    places, place_sizes, segments = places[kept], place_sizes[kept], segments[kept]
    required = _require_shares(np.diff(ends), np.isin(np.arange(2 * n_items), segments), threshold)
    seeds = np.unique(keys[kept], return_inverse=True)[1]
    distinct, numbers = np.unique(prefixes[kept], return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    slots, values, filter_bits = _make_table(distinct)
    low, high, stops = ends[segments], ends[segments + 1], places + place_sizes
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    return Index(
        words=words,
        firsts=firsts,
        weights=weights,
        starts=starts,
        middles=middles,
        text_ends=ends,
        totals=totals.reshape(-1, 2),
        required=required.reshape(-1, 2),
        needed=required * totals * (1 - ROUNDING),
        filter_bits=filter_bits,
        slots=slots,
        numbers=values,
        prefix_ends=np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=len(distinct)))]).astype(np.int64),
        posting_texts=segments[order],
        posting_places=places[order],
        posting_sizes=place_sizes[order],
        posting_seeds=seeds[order].astype(np.int64),
        posting_weights=(sums[stops] - sums[places])[order],
        before_bits=_collect_bits(words, places - 1, places - low, -1)[order],
        after_bits=_collect_bits(words, stops, high - stops, 1)[order],
        place_seeds=_spread(seeds, places, len(words)),
        place_sizes=_spread(place_sizes, places, len(words)),
    )


def choose_seed_size(n_words: int, longest: int) -> int:
    """Return how many words a seed of a text has, 0 for a text that is too short.

    >>> [choose_seed_size(n, 8) for n in (4, 5, 17, 59, 60)]
    [0, 4, 4, 4, 8]
    """
    if n_words < MIN_QUESTION_WORDS:
        return 0
    return PREFIX_WORDS if n_words < LONG_WORDS else longest


def make_matches(index: Index) -> Matches:
    """Return the matches before any document was searched."""
    n_items = len(index.middles)
    return Matches(
        np.zeros(n_items),
        np.zeros((n_items, 2)),
        np.full(n_items, -1, np.int64),
        np.zeros(len(index.words), np.bool_),
        np.zeros(index.place_seeds.max(initial=-1) + 1, np.int64),
        np.full((n_items, MAX_OTHERS), -1, np.int64),
    )


def make_scratch(index: Index, n_seeds: int) -> Scratch:
    """Return the working memory of the search of a file."""
    n_words, n_items = len(index.words), len(index.middles)
    return Scratch(
        marks=np.full(n_words, -1, np.int64),
        item_marks=np.full(n_items, -1, np.int64),
        seed_marks=np.full(n_seeds, -1, np.int64),
        bound_marks=np.full(2 * n_items, -1, np.int64),
        bounds=np.zeros(2 * n_items),
        sums=np.zeros((n_items, 2)),
        regions=np.zeros((n_items, 2), np.int64),
        spans=np.zeros((n_items, 4), np.int64),
        items=np.empty(n_items, np.int64),
        left_over=np.empty(n_words, np.int64),
    )


def _hash(texts: Iterable[str]) -> tuple[Hashes, Ints]:
    """Hash the words of all texts; return the hashes and where each text's hashes end."""
    hashes, ends, n_words = [np.empty(0, np.uint64)], [np.zeros(1, np.int64)], 0
    for block in pack_texts(texts):
        words, bounds = hash_texts(*block, word_letters(lower=True))
        hashes.append(words)
        ends.append(bounds[1:] + n_words)
        n_words += len(words)
    return np.concatenate(hashes), np.concatenate(ends)


def _weigh_words(words: Hashes, segments: Ints, n_items: int) -> tuple[NDArray[np.float64], Ints]:
    """Weigh words by inverse document frequency over items, and tell where each occurs first in its text.

    Repetitions in a text share the weight of one word.
    """
    distinct, numbers = np.unique(words, return_inverse=True)
    items = np.unique(numbers.astype(np.int64) * n_items + segments // 2)
    frequencies = np.bincount(items // max(n_items, 1), minlength=len(distinct))
    _, firsts, pairs, repetitions = np.unique(
        numbers.astype(np.int64) * 2 * n_items + segments, return_index=True, return_inverse=True, return_counts=True
    )
    return np.log1p(n_items / frequencies[numbers]) / repetitions[pairs], firsts[pairs].astype(np.int64)


def _list_places(ends: Ints, sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the place, size and text of every seed: one at each word that has enough words after it."""
    counts = np.where(sizes > 0, np.diff(ends) - sizes + 1, 0)
    segments = np.repeat(np.arange(len(sizes)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return ends[:-1][segments] + offsets, sizes[segments], segments


def _number_texts(words: Hashes, ends: Ints) -> Ints:
    """Number the texts so that copies share a number."""
    numbers: dict[bytes, int] = {}
    texts = (words[start:end].tobytes() for start, end in pairwise(ends))
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)


def _find_rare(keys: Hashes, texts: Ints) -> NDArray[np.bool_]:
    """Find which seeds occur in few distinct texts."""
    distinct, numbers = np.unique(keys, return_inverse=True)
    n_texts = int(texts.max(initial=0)) + 1
    pairs = np.unique(numbers.astype(np.int64) * n_texts + texts)
    counts = np.bincount(pairs // n_texts, minlength=len(distinct))
    return counts[numbers] <= max(MAX_SEED_ITEMS, MAX_SEED_SHARE * n_texts)


def _require_shares(lengths: Ints, has_seeds: NDArray[np.bool_], threshold: float) -> NDArray[np.float64]:
    partial = np.clip(SHORT_SHARE - SHORT_SLOPE * (lengths - VERBATIM_WORDS), threshold, 1)
    required = np.where(lengths < VERBATIM_WORDS, VERBATIM, partial)
    return np.where(has_seeds, required, NEVER)


def _collect_bits(words: Hashes, places: Ints, counts: Ints, step: int) -> Hashes:
    """Set a bit for each word within reach, of so many words from each place on, as the compiled loops do."""
    bits = np.zeros(len(places), np.uint64)
    for number in range(MAX_GAP + 1):
        inside = number < counts
        bits[inside] |= np.uint64(1) << (words[places[inside] + number * step] & np.uint64(63))
    return bits


def _spread(values: NDArray[np.integer], places: Ints, n_words: int) -> NDArray[np.int32]:
    spread = np.full(n_words, -1, np.int32)
    spread[places] = values
    return spread


def _make_table(keys: Hashes) -> tuple[Hashes, NDArray[np.int32], Hashes]:
    """Return a hash table, the number of the seed in each slot, and a filter that most other keys do not pass."""
    n_slots = 1 << int(2 * len(keys) + 1).bit_length()
    slots, values = np.zeros(n_slots, np.uint64), np.zeros(n_slots, np.int32)
    filter_bits = np.zeros(max(1, n_slots * _FILTER_BITS // 2 // 64), np.uint64)
    fill_slots(keys, slots, values, filter_bits)
    return slots, values, filter_bits
