"""Type-token ratio: how varied the words of a text are."""

from __future__ import annotations

from assay.features.estimate import Estimate, mean, undefined
from assay.features.part import Part


def type_token_ratio(part: Part) -> Estimate:
    """Return the mean over texts of different words / words; texts without words are left out (paper 000).

    >>> type_token_ratio(Part.of(["a b a a", "a b", ""])).value
    0.75
    """
    from assay.features._kernels import distinct_words

    lengths = part.corpus.lengths
    held = lengths > 0
    if not held.any():
        return undefined("the texts hold no words")
    distinct = distinct_words(part.corpus.offsets, part.corpus.ids, len(part.corpus.vocabulary))
    return Estimate(mean(distinct[held] / lengths[held]), n=int(held.sum()))
