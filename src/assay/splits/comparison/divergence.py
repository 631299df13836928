"""How far apart two parts are, next to what chance alone would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.views.results import Result
from assay.views.values import Interval

RANDOM_SPLITS = "random splits"


@dataclass(frozen=True)
class Divergence(Result):
    """A distance between two parts, the same for random parts of the same sizes (mean and middle 95%), and p.

    p is the share of random splits at least as far apart, (1 + number) / (1 + permutations).
    """

    value: float
    null: Interval
    p: float
    n_permutations: int

    @property
    def is_beyond_null(self) -> bool:
        """Return True if random splits differ less, or more, than this one; False if that is not known."""
        return self.value < self.null.low or self.value > self.null.high


def compare_with_null(value: float, null: Array, low_is_far: bool = False) -> Divergence:
    """Compare a value with the values of random splits; nan if it is undefined or nothing was permuted.

    >>> compare_with_null(0.5, np.linspace(0, 0.2, 99)).p
    0.01
    """
    known = null[~np.isnan(null)]
    if np.isnan(value) or not len(known):
        return Divergence(value, Interval(np.nan, np.nan, np.nan, method=RANDOM_SPLITS), np.nan, len(known))
    low, high = np.percentile(known, [2.5, 97.5])
    as_far = known <= value + 1e-12 if low_is_far else known >= value - 1e-12
    p = (1 + int(as_far.sum())) / (1 + len(known))
    band = Interval(float(known.mean()), float(low), float(high), method=RANDOM_SPLITS)
    return Divergence(float(value), band, p, len(known))
