"""Flesch reading ease."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.features.english import english_only
from assay.features.estimate import Estimate, mean, undefined
from assay.features.part import Part
from assay.features.syllables import FRAGMENTS, syllables
from assay.text import sentence_counts


@english_only
def flesch(part: Part) -> Estimate:
    """Return the mean Flesch reading ease of the texts; those without words are left out (paper 000).

    >>> round(flesch(Part.of(["The cat sat on the mat.", "What is it? It is the sea."])).value, 3)
    117.414
    """
    scores = part.flesch[~np.isnan(part.flesch)]
    return Estimate(mean(scores), n=len(scores)) if len(scores) else undefined("the texts hold no words")


def reading_ease(part: Part) -> NDArray[np.float64]:
    """Score every text: 206.835 - 1.015 words/sentences - 84.6 syllables/words; nan without words.

    What an apostrophe cuts off ("don't" is read as don, t) is no word of its own.
    """
    from assay.features._kernels import sums

    corpus = part.corpus
    counts = np.fromiter(map(syllables, corpus.vocabulary), np.int64, len(corpus.vocabulary))
    is_word = 1 - part.marked(FRAGMENTS)
    words = sums(corpus.offsets, corpus.ids, is_word)
    spoken = sums(corpus.offsets, corpus.ids, counts * is_word)
    sentences = np.maximum(sentence_counts(part.texts), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = 206.835 - 1.015 * (words / sentences) - 84.6 * (spoken / words)
    scores[words == 0] = np.nan
    return scores
