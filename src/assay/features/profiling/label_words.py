"""Frequent words, and words associated with a label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.base.marks import NAME, OWN, WORD
from assay.features.labelled_texts import LabelledTexts
from assay.statistics import benjamini_hochberg
from assay.text.fragments import is_fragment
from assay.views.results import Result

MIN_TEXTS = 5  # with fewer the normal approximation of z does not hold
MAX_P = 0.05


@dataclass(frozen=True)
class WordCount(Result):
    """A word and how often it occurs."""

    word: str = field(metadata=WORD)
    count: int


@dataclass(frozen=True)
class LabelWord(Result):
    """A word associated with a label: of the `texts` that have it, `with_label` have the label.

    `pmi` is log p(label | word) / p(label) over texts, in nats; `z` tests that share against the label's own,
    two-sided, and `p` is adjusted over all words and labels (Benjamini–Hochberg). `side` names a text of a
    pair.
    """

    word: str = field(metadata=WORD)
    label: str = field(metadata=NAME)
    z: float
    p: float
    pmi: float
    texts: int
    with_label: int
    side: str | None = field(default=None, metadata=OWN)


def rank_words(counts: NDArray[np.int64], vocabulary: list[str], n: int) -> tuple[WordCount, ...]:
    """Return the n most frequent words; equal counts are in alphabetical order.

    >>> [word.word for word in rank_words(np.array([2, 5, 2]), ["b", "c", "a"], 2)]
    ['c', 'a']
    """
    if not n or not len(counts):
        return ()
    least = np.partition(counts, -n)[-n] if len(counts) > n else 0
    candidates = np.flatnonzero(counts >= max(least, 1))
    ranked = sorted(
        (-count, vocabulary[word]) for word, count in zip(candidates.tolist(), counts[candidates].tolist(), strict=True)
    )
    return tuple(WordCount(word, -count) for count, word in ranked[:n])


def rank_words_by_label(data: LabelledTexts, n: int) -> dict[str, tuple[WordCount, ...]]:
    """Return the n most frequent words of the texts under each described label."""
    pairs, vocabulary = data.word_label_counts, data.corpus.vocabulary
    ranked = {}
    starts = pairs.starts.tolist()
    for code in data.described_labels:
        rows = slice(starts[code], starts[code + 1])
        words = [vocabulary[word] for word in pairs.words[rows]]
        ranked[data.label_names[code]] = rank_words(pairs.tokens[rows], words, n)
    return ranked


def find_label_words(sides: Mapping[str | None, LabelledTexts], n: int) -> dict[str, tuple[LabelWord, ...]]:
    """Return, for each described label, the n words most associated with it: highest z among the significant ones (5%).

    The sides of a pair are tested apart: a word may go with a label on one side only. Pieces of words and links, such
    as the t of "don't", are left out.
    """
    first = next(iter(sides.values()))
    if len(first.label_names) < 2:
        return {}
    is_described = np.zeros(len(first.label_names), np.bool_)
    is_described[first.described_labels] = True
    scores = {side: _score_pairs(data) for side, data in sides.items()}
    adjusted = benjamini_hochberg(np.concatenate([_two_sided_p(z[rows]) for z, rows in scores.values()]))
    words, start = [], 0
    for side, (z, rows) in scores.items():
        p = adjusted[start : start + len(rows)]
        start += len(rows)
        labels = sides[side].word_label_counts.labels[rows]
        kept = (p < MAX_P) & (z[rows] > 0) & is_described[labels]
        words += _describe_pairs(sides[side], side, z, rows[kept], p[kept])
    words = [word for word in words if not is_fragment(word.word)]
    words.sort(key=lambda word: (-round(word.z, 9), word.word, word.side or ""))
    ranked: dict[str, list[LabelWord]] = {first.label_names[code]: [] for code in first.described_labels}
    for word in words:
        if len(ranked[word.label]) < n:
            ranked[word.label].append(word)
    return {name: tuple(chosen) for name, chosen in ranked.items()}


def _score_pairs(data: LabelledTexts) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return z of every observed pair of word and label, and the pairs whose word is in enough texts."""
    pairs = data.word_label_counts
    texts = pairs.sum_by_word(pairs.texts)[pairs.words]
    share = _compute_label_shares(data)[pairs.labels]
    z = (pairs.texts / texts - share) / np.sqrt(share * (1 - share) / texts)
    return z, np.flatnonzero(texts >= MIN_TEXTS)


def _describe_pairs(
    data: LabelledTexts, side: str | None, z: NDArray[np.float64], rows: NDArray[np.int64], p: NDArray[np.float64]
) -> list[LabelWord]:
    pairs, labels, shares = data.word_label_counts, data.word_label_counts.labels, _compute_label_shares(data)
    texts = pairs.sum_by_word(pairs.texts)[pairs.words]
    return [
        LabelWord(
            word=data.corpus.vocabulary[pairs.words[row]],
            label=data.label_names[labels[row]],
            z=float(z[row]),
            p=float(adjusted),
            pmi=math.log(pairs.texts[row] / texts[row] / shares[labels[row]]),
            texts=int(texts[row]),
            with_label=int(pairs.texts[row]),
            side=side,
        )
        for row, adjusted in zip(rows, p, strict=True)
    ]


def _compute_label_shares(data: LabelledTexts) -> NDArray[np.float64]:
    return np.asarray(data.label_counts / data.label_counts.sum())


def _two_sided_p(z: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import ndtr

    p: NDArray[np.float64] = 2 * ndtr(-np.abs(z))
    return p
