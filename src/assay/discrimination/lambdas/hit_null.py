"""The hit rate of equal systems: what λ_hit is if the systems do not differ at all.

One of two equal systems is ahead by chance, and wins most resamples of the same items: about 3 of 4. λ_hit is the mean
over pairs, so the number of systems does not change its expected value.
"""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.lambdas.pair_hits import compute_hits, count_discordant
from assay.tasks.threads import use_one_thread

MAX_SIZES = 12  # numbers of discordant items at which the exact value is computed; between them it is interpolated
TAIL = 6.0  # standard deviations of the binomial that are summed


def approximate_null_rate(resampling: str, share: float) -> float:
    """Return the hit rate of equal systems for many items, 1/2 + arctan(1/s)/π.

    s is the error on a resample in errors of the score: 1 for a bootstrap, √((1 − share)/share) for a subsample.

    >>> approximate_null_rate("bootstrap", 0.8), round(approximate_null_rate("subsample", 0.8), 3)
    (0.75, 0.852)
    """
    spread = 1.0 if resampling == "bootstrap" else math.sqrt((1 - share) / share)
    return 0.5 + math.atan2(1.0, spread) / math.pi


@use_one_thread()
def compute_null_rate(table: Array, resampling: str, share: float) -> float:
    """Return the expected hit rate of 0/1 outcomes (systems × items) if every pair of systems were equal.

    Given the items on which two systems differ, each of equal systems is right on any of them with probability 1/2.

    >>> outcomes = np.tile([[1.0, 0.0], [0.0, 1.0]], 50)
    >>> round(compute_null_rate(outcomes, "bootstrap", 0.8), 3)
    0.721
    """
    n, b, c = count_discordant(table)
    known = n > 0
    if not known.any():
        return math.nan
    sizes, differing = np.rint(np.median(n[known])).astype(np.int64), (b + c)[known]
    points = np.unique(np.rint(np.quantile(differing, np.linspace(0, 1, MAX_SIZES))).astype(np.int64))
    rates = [_average_over_leads(int(max(sizes, point)), int(point), resampling, share) for point in points]
    return float(np.interp(differing, points, rates).mean())


def _average_over_leads(n: int, differing: int, resampling: str, share: float) -> float:
    from scipy.stats import binom

    reach = math.ceil(TAIL * math.sqrt(differing) / 2) + 1
    leads = np.arange(max(0, differing // 2 - reach), min(differing, differing // 2 + reach) + 1)
    weights = binom.pmf(leads, differing, 0.5)
    hits = compute_hits(np.full(len(leads), n), leads, differing - leads, resampling, share)
    return float(weights @ hits / weights.sum())
