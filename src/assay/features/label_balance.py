"""Label balance: how far the label entropy falls short of an even distribution."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.features.estimate import Estimate, undefined
from assay.features.part import Part


def label_balance(part: Part) -> Estimate:
    """Return (H(labels) - log k) / log k for k labels: 0 when all are equally frequent, down to -1 (paper 000).

    >>> label_balance(Part.of(["x", "y"], ["a", "b"])).value
    0.0
    """
    counts = np.bincount(part.labels[part.labels >= 0])
    if len(counts) < 2:
        return undefined("needs at least two labels")
    if counts.min() == counts.max():
        return Estimate(0.0, n=int(counts.sum()))
    ideal = math.log(len(counts))
    return Estimate((entropy(counts) - ideal) / ideal, n=int(counts.sum()))


def entropy(counts: NDArray[np.int64]) -> float:
    """Return the entropy of a distribution given as counts, in nats."""
    shares = np.sort(counts[counts > 0]) / counts.sum()
    return -math.fsum(shares * np.log(shares)) if len(shares) > 1 else 0.0
