"""Average length: words per text."""

from __future__ import annotations

from assay.features.estimate import Estimate, mean
from assay.features.part import Part


def average_length(part: Part) -> Estimate:
    """Return the mean number of words of a text (paper 000).

    >>> average_length(Part.of(["one two three", "one"])).value
    2.0
    """
    return Estimate(mean(part.corpus.lengths), n=len(part))
