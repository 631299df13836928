"""Which items are hard: lexical divergence, obvious and non-obvious cases, nearest texts (paper 002)."""

from __future__ import annotations

from assay.difficulty.cases import CASES, Obviousness, PartCases, obviousness, obviousness_by_label
from assay.difficulty.divergence import jensen_shannon
from assay.difficulty.positive import polarity, usual_positive
from assay.difficulty.similarity import dice, jaccard
from assay.registry import Registry

MEASURES = Registry("measure", {"jensen-shannon": jensen_shannon, "jaccard": jaccard, "dice": dice})
SIMILARITIES = frozenset({"jaccard", "dice"})

__all__ = [
    "CASES",
    "MEASURES",
    "SIMILARITIES",
    "Obviousness",
    "PartCases",
    "dice",
    "jaccard",
    "jensen_shannon",
    "obviousness",
    "obviousness_by_label",
    "polarity",
    "usual_positive",
]
