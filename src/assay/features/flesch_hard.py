"""Hard texts, by Flesch reading ease."""

from __future__ import annotations

import numpy as np

from assay.features.english import english_only
from assay.features.estimate import Estimate, undefined
from assay.features.part import Part

HARD = 60.0


@english_only
def flesch_hard(part: Part) -> Estimate:
    """Return the share of texts whose reading ease is below 60 (paper 000); those without words are left out."""
    scores = part.flesch[~np.isnan(part.flesch)]
    return Estimate(float((scores < HARD).mean()), n=len(scores)) if len(scores) else undefined("no words")
