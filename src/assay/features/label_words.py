"""Which words are frequent, and which are tied to a label."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.features.part import Part
from assay.statistics import benjamini_hochberg

LEAST_TEXTS = 5  # below this the normal approximation of z says nothing


@dataclass(frozen=True)
class WordCount(Result):
    """A word and how often it occurs."""

    word: str
    count: int


@dataclass(frozen=True)
class LabelWord(Result):
    """A word tied to a label: of the `texts` that hold it, `with_label` have the label.

    `pmi` is log p(label | word) / p(label) over texts, in nats; `z` tests that share against the label's own,
    two-sided, and `p` is adjusted over all words and labels (Benjamini-Hochberg).
    """

    word: str
    label: str
    z: float
    p: float
    pmi: float
    texts: int
    with_label: int
    side: str | None = None


def most_frequent(counts: NDArray[np.int64], vocabulary: list[str], n: int) -> list[WordCount]:
    """Return the n most frequent words; equal counts stand in alphabetical order."""
    if not n or not len(counts):
        return []
    least = np.partition(counts, -n)[-n] if len(counts) > n else 0
    candidates = np.flatnonzero(counts >= max(least, 1)).tolist()
    ranked = sorted(candidates, key=lambda word: (-counts[word], vocabulary[word]))
    return [WordCount(vocabulary[word], int(counts[word])) for word in ranked[:n]]


def most_frequent_by_label(part: Part, n: int) -> dict[str, list[WordCount]]:
    """Return the n most frequent words of the texts under each label."""
    pairs, vocabulary = part.word_labels, part.corpus.vocabulary
    found = {}
    for code, name in enumerate(part.label_names):
        rows = slice(pairs.starts[code], pairs.starts[code + 1])
        words = [vocabulary[word] for word in pairs.words[rows]]
        found[name] = most_frequent(pairs.tokens[rows], words, n)
    return found


def label_words(sides: dict[str | None, Part], n: int) -> dict[str, list[LabelWord]]:
    """Return, for each label, the n words most tied to it: those with the highest z among the significant (5 %).

    The sides of a pair are looked at apart: a word may speak for a label on one side only.
    """
    names = next(iter(sides.values())).label_names
    if len(names) < 2:
        return {}
    scores = {side: label_scores(part) for side, part in sides.items()}
    adjusted = benjamini_hochberg(np.concatenate([two_sided(z[rows]) for z, rows in scores.values()]))
    passed, start = [], 0
    for side, (z, rows) in scores.items():
        p = adjusted[start : start + len(rows)]
        start += len(rows)
        kept = (p < 0.05) & (z[rows] > 0)
        passed += described(sides[side], side, z, rows[kept], p[kept])
    passed.sort(key=lambda word: (-round(word.z, 9), word.word, word.side or ""))
    return {name: [word for word in passed if word.label == name][:n] for name in names}


def label_scores(part: Part) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return z of every observed pair of word and label, and the pairs whose word is in at least five texts."""
    pairs = part.word_labels
    texts = pairs.per_word(pairs.texts)[pairs.words]
    share = label_share(part)[pairs.labels]
    z = (pairs.texts / texts - share) / np.sqrt(share * (1 - share) / texts)
    return z, np.flatnonzero(texts >= LEAST_TEXTS)


def described(
    part: Part, side: str | None, z: NDArray[np.float64], rows: NDArray[np.int64], p: NDArray[np.float64]
) -> list[LabelWord]:
    """Put pairs of word and label into words."""
    pairs, labels, share = part.word_labels, part.word_labels.labels, label_share(part)
    texts = pairs.per_word(pairs.texts)[pairs.words]
    return [
        LabelWord(
            word=part.corpus.vocabulary[pairs.words[row]],
            label=part.label_names[labels[row]],
            z=float(z[row]),
            p=float(adjusted),
            pmi=math.log(pairs.texts[row] / texts[row] / share[labels[row]]),
            texts=int(texts[row]),
            with_label=int(pairs.texts[row]),
            side=side,
        )
        for row, adjusted in zip(rows, p, strict=True)
    ]


def label_share(part: Part) -> NDArray[np.float64]:
    """Return the share of each label among the labelled texts."""
    counts = np.bincount(part.labels[part.labels >= 0], minlength=len(part.label_names))
    return np.asarray(counts / counts.sum())


def two_sided(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two-sided p-values of standard normal statistics."""
    from scipy.special import ndtr

    p: NDArray[np.float64] = 2 * ndtr(-np.abs(z))
    return p
