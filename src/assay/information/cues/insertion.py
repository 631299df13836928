"""Does a word belong to its sentences? Words around a word that was put into texts follow each other without it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.statistics import Interval
from assay.text import Corpus

MIN_OCCURRENCES = 10
MAX_OCCURRENCES = 2_000
CONFIDENCE_Z = 1.96
EDGE_SHARE = 0.9
WEIGHT = 5.0  # of the word frequencies among the counts of neighbours


@dataclass(frozen=True, eq=False)
class NeighbourCounts:
    """Words of texts in a row, with one mark for the start and end of each text, and how often two are neighbours."""

    ids: Array  # words of all texts; `edge` between them
    edge: int
    pairs: Array  # sorted keys of neighbours
    pair_counts: Array
    totals: Array  # of each word and the edge

    def count_pairs(self, left: Array, right: Array) -> Array:
        """Return how often these words are neighbours, in this order."""
        keys = left.astype(np.int64) * (self.edge + 1) + right
        places = np.minimum(np.searchsorted(self.pairs, keys), len(self.pairs) - 1)
        return np.where(self.pairs[places] == keys, self.pair_counts[places], 0)


def count_neighbours(corpora: Sequence[Corpus]) -> NeighbourCounts:
    """Count neighbouring words of texts; the corpora share one vocabulary."""
    edge = len(corpora[0].vocabulary)
    ids = np.concatenate([_join_texts(corpus, edge) for corpus in corpora])
    keys, counts = np.unique(ids[:-1].astype(np.int64) * (edge + 1) + ids[1:], return_counts=True)
    return NeighbourCounts(ids, edge, keys, counts, np.bincount(ids, minlength=edge + 1))


def _join_texts(corpus: Corpus, edge: int) -> Array:
    """Return the words of all texts, with an edge before, between and after them."""
    ids = np.insert(corpus.ids.astype(np.int64), corpus.offsets[:-1], edge)
    return np.append(ids, edge)


def measure_belonging(neighbours: NeighbourCounts, words: Sequence[int]) -> tuple[Interval, bool]:
    """Return how much better a word explains its neighbours than these explain each other, in nats per occurrence.

    The right neighbour is predicted by the other occurrences of the word (one word or several in a row), and by the
    left neighbour as if the word were absent; the left neighbour in the same way. A word of the language is above 0:
    it chooses its neighbours. A word that was put into texts is below 0. Ends of texts are not predicted; the
    second result tells whether nearly all occurrences are at the start, or at the end, of a text. The 95% interval is
    over occurrences; nan if there are fewer than ten.
    """
    starts = _find_words(neighbours.ids, words)[:MAX_OCCURRENCES]
    left, right = neighbours.ids[starts - 1], neighbours.ids[starts + len(words)]
    is_free = ~(np.isin(left, words) | np.isin(right, words))
    left, right = left[is_free], right[is_free]
    if len(left) < MIN_OCCURRENCES:
        return Interval(math.nan, math.nan, math.nan, method="normal"), False
    adjacent = neighbours.count_pairs(left, right)
    gains = _compare_models(neighbours, right, left, adjacent) + _compare_models(neighbours, left, right, adjacent)
    mean, error = float(gains.mean()), float(gains.std(ddof=1) / math.sqrt(len(gains)))
    at_edge = max((left == neighbours.edge).mean(), (right == neighbours.edge).mean()) >= EDGE_SHARE
    return Interval(mean, mean - CONFIDENCE_Z * error, mean + CONFIDENCE_Z * error, method="normal"), bool(at_edge)


def _find_words(ids: Array, words: Sequence[int]) -> Array:
    """Return where words begin that follow each other."""
    found = ids[: len(ids) - len(words) + 1] == words[0]
    for step, word in enumerate(words[1:], start=1):
        found &= ids[step : len(ids) - len(words) + 1 + step] == word
    return np.flatnonzero(found)


def _compare_models(neighbours: NeighbourCounts, target: Array, other: Array, adjacent: Array) -> Array:
    """Return the log-likelihood of neighbours given the word, minus that given the neighbour on the other side."""
    n_words = neighbours.totals[:-1].sum()
    frequency = np.maximum(neighbours.totals[target] / n_words, 1 / n_words)
    _, codes, counts = np.unique(target, return_inverse=True, return_counts=True)
    by_word = (counts[codes] - 1 + WEIGHT * frequency) / (len(target) - 1 + WEIGHT)
    by_other = (adjacent + WEIGHT * frequency) / (neighbours.totals[other] + WEIGHT)
    return np.where(target == neighbours.edge, 0.0, np.log(by_word) - np.log(by_other))
