"""Is this English? Some features know that language only."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part
from assay.text import Corpus

# Frequent in English, rare in other languages written in Latin letters.
_FUNCTION_WORDS = frozenset(
    "the and of that with this have from what which are were has had been will would they their there you your his "
    "her she it how who not but by an be its than we for at is was to i my".split()
)
_LEAST_SHARE = 0.10


def is_english(corpus: Corpus) -> bool:
    """Tell whether the texts read as English: enough of their words are English function words.

    >>> is_english(Corpus.from_texts(["what is the name of the king", "the film was not good but it is long"]))
    True
    >>> is_english(Corpus.from_texts(["wie heißt der König", "der Film war nicht gut, aber lang"]))
    False
    """
    frequencies = corpus.frequencies()
    hits = np.fromiter((word in _FUNCTION_WORDS for word in corpus.vocabulary), bool, len(corpus.vocabulary))
    total = frequencies.sum()
    if not total:
        return True
    return bool(frequencies[hits].sum() / total >= _LEAST_SHARE)


def english_only(feature: Callable[[Part], Estimate]) -> Callable[[Part], Estimate]:
    """Make a feature undefined, with the reason, where the data is in another language."""

    @wraps(feature)
    def guarded(part: Part) -> Estimate:
        return feature(part) if part.english else undefined("the texts do not read as English")

    return guarded
