"""Totals of rare things in a sample drawn with unequal probabilities, with intervals that also hold for small counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array

_N_STEPS = 45  # of the bisection, enough for about twelve digits
_MANY = 1e-3  # the tail beyond which no limit lies, as a share of the tail asked for


@dataclass(frozen=True)
class Totals:
    """Estimated totals with their limits."""

    value: Array
    low: Array
    high: Array


def find_limits(
    total: Array, variance: Array, largest: Array, largest_variance: Array, confidence: float = 0.95
) -> tuple[Array, Array]:
    """Return the limits of weighted sums of counts: the mid-p gamma interval (Fay and Feuer 1997; Fay and Kim 2017).

    A gamma distribution with the mean and variance of the sum bounds it from below; one with a further count of the
    largest weight bounds it from above; the limits are quantiles of the mixture of both. Unlike a normal interval it
    holds when nothing was found: with one stratum the upper limit is then three weights, the rule of three.

    >>> low, high = find_limits(np.zeros(1), np.zeros(1), np.full(1, 10.0), np.full(1, 100.0))
    >>> low.round(2).tolist(), high.round(1).tolist()
    ([0.0], [30.0])
    """
    from scipy.special import gammaincinv

    upper, upper_variance = total + largest, variance + largest_variance
    tail = (1 - confidence) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        end = np.nan_to_num(gammaincinv(upper**2 / upper_variance, 1 - tail * _MANY) * upper_variance / upper)
    limits = []
    for share in (tail, 1 - tail):
        low, high = np.zeros_like(end), end.copy()
        for _ in range(_N_STEPS):
            middle = (low + high) / 2
            below = _gamma_share(total, variance, middle) + _gamma_share(upper, upper_variance, middle) >= 2 * share
            low, high = np.where(below, low, middle), np.where(below, middle, high)
        limits.append((low + high) / 2)
    return limits[0], limits[1]


def _gamma_share(mean: Array, variance: Array, value: Array) -> Array:
    """Return the probability that a gamma distribution gives at most a value; without variance it is its mean."""
    from scipy.special import gammainc

    is_spread = (mean > 0) & (variance > 0)
    safe_mean, safe_variance = np.where(is_spread, mean, 1.0), np.where(is_spread, variance, 1.0)
    shares = gammainc(safe_mean**2 / safe_variance, value * safe_mean / safe_variance)
    return np.asarray(np.where(is_spread, shares, value >= mean))
