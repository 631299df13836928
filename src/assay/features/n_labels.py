"""Number of labels."""

from __future__ import annotations

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part


def n_labels(part: Part) -> Estimate:
    """Return how many different labels occur (paper 000).

    >>> n_labels(Part.of(["x", "y", "z"], ["a", "b", "a"])).value
    2
    """
    if not part.label_names:
        return undefined("the data has no labels")
    return Estimate(len(part.label_names), n=int((part.labels >= 0).sum()))
