"""Texts that hold one of the words most tied to a label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part
from assay.features.pmi import pointwise

N_WORDS = 10


def pmi_top_words(part: Part) -> Estimate:
    """Return the share of texts that hold one of the ten words with the highest PMI over all labels (paper 000).

    Many words occur under one label only and so share the highest PMI: the more frequent come first, then the
    alphabet decides.
    """
    from assay.features._kernels import sums

    if len(part.label_names) < 2 or not len(part.word_labels.words):
        return undefined("needs words under at least two labels")
    chosen = np.zeros(len(part.corpus.vocabulary), np.int64)
    chosen[top_words(part)] = 1
    holds = sums(part.corpus.offsets, part.corpus.ids, chosen) > 0
    return Estimate(float(holds.mean()), n=len(part))


def top_words(part: Part, n: int = N_WORDS) -> NDArray[np.int64]:
    """Return the ids of the n words with the highest PMI with any label."""
    pairs = part.word_labels
    values = pointwise(pairs)
    best = np.full(pairs.n_words, -np.inf)
    np.maximum.at(best, pairs.words, np.round(values, 12))  # equal in theory, unequal in the last bit
    counts = pairs.per_word(pairs.tokens)
    order = np.lexsort((-counts, -best))[: n + 1]
    edge = order[-1]
    tied = np.flatnonzero((best > best[edge]) | ((best == best[edge]) & (counts >= counts[edge])))
    vocabulary = part.corpus.vocabulary
    ranked = sorted(tied.tolist(), key=lambda word: (-best[word], -counts[word], vocabulary[word]))
    return np.array(ranked[:n], dtype=np.int64)
