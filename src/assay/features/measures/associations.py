"""Pointwise mutual information of words and labels (Xiao et al. 2022)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.features.word_label_counts import WordLabelCounts

N_TOP_WORDS = 10


@FEATURES.add("pmi")
def pmi(data: LabelledTexts) -> FeatureValue:
    """Return the mean of the positive log p(c, w) / (p(c) p(w)) over the observed pairs of label and word.

    Shares are of tokens, logarithms natural. The sum is over positive values, the count over all observed pairs.

    >>> round(pmi(LabelledTexts.from_texts(["good film", "bad film"], ["+", "-"])).value, 6)
    0.346574
    """
    pairs = data.word_label_counts
    if len(data.label_names) < 2 or not len(pairs.words):
        return undefined_value("needs words under at least two labels")
    values = compute_pointwise_information(pairs)
    return FeatureValue(math.fsum(np.maximum(values, 0.0)) / len(values), n=len(values))


@FEATURES.add("pmi_top_words")
def pmi_top_words(data: LabelledTexts) -> FeatureValue:
    """Return the share of texts that have one of the ten words of highest PMI over all labels.

    Many words occur under one label only and so share the highest PMI: the more frequent come first, then the
    alphabet decides.
    """
    from assay.features._kernels import sum_word_values

    if len(data.label_names) < 2 or not len(data.word_label_counts.words):
        return undefined_value("needs words under at least two labels")
    is_top = np.zeros(len(data.corpus.vocabulary), np.int64)
    is_top[find_top_words(data)] = 1
    has_top = sum_word_values(data.corpus.offsets, data.corpus.ids, is_top) > 0
    return FeatureValue(float(has_top.mean()), n=len(data))


def compute_pointwise_information(pairs: WordLabelCounts) -> NDArray[np.float64]:
    """Return log p(c, w) / (p(c) p(w)) of every observed pair, in nats, by tokens."""
    by_word, by_label = pairs.sum_by_word(pairs.tokens), pairs.sum_by_label(pairs.tokens)
    total = pairs.tokens.sum()
    values: NDArray[np.float64] = np.log(pairs.tokens * total / (by_word[pairs.words] * by_label[pairs.labels]))
    return values


def find_top_words(data: LabelledTexts, n: int = N_TOP_WORDS) -> NDArray[np.int64]:
    """Return the ids of the n words with the highest PMI with any label."""
    pairs = data.word_label_counts
    values = compute_pointwise_information(pairs)
    best = np.full(pairs.n_words, -np.inf)
    np.maximum.at(best, pairs.words, np.round(values, 12))  # equal in theory, unequal in the last bit
    counts = pairs.sum_by_word(pairs.tokens)
    order = np.lexsort((-counts, -best))[: n + 1]
    last = order[-1]
    tied = np.flatnonzero((best > best[last]) | ((best == best[last]) & (counts >= counts[last])))
    vocabulary = data.corpus.vocabulary
    ranked = sorted(tied.tolist(), key=lambda word: (-best[word], -counts[word], vocabulary[word]))
    return np.array(ranked[:n], dtype=np.int64)
