"""Pointwise mutual information of words and labels."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part
from assay.features.word_labels import WordLabels


def pmi(part: Part) -> Estimate:
    """Return the mean of the positive log p(c, w) / (p(c) p(w)) over the observed pairs of label and word.

    Shares are of tokens; the sum runs over positive values, the count over all observed pairs (paper 000).

    >>> round(pmi(Part.of(["good film", "bad film"], ["+", "-"])).value, 6)
    0.346574
    """
    pairs = part.word_labels
    if len(part.label_names) < 2 or not len(pairs.words):
        return undefined("needs words under at least two labels")
    values = pointwise(pairs)
    return Estimate(math.fsum(np.maximum(values, 0.0)) / len(values), n=len(values))


def pointwise(pairs: WordLabels) -> NDArray[np.float64]:
    """Return log p(c, w) / (p(c) p(w)) of every observed pair, in nats, by tokens."""
    per_word, per_label = pairs.per_word(pairs.tokens), pairs.per_label(pairs.tokens)
    total = pairs.tokens.sum()
    values: NDArray[np.float64] = np.log(pairs.tokens * total / (per_word[pairs.words] * per_label[pairs.labels]))
    return values
