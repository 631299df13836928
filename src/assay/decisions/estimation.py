"""The interval of a difference on paired items, valid also if there are few items or all of them agree."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from assay.base.arrays import Array
from assay.statistics import Interval, group_sums, mcnemar, paired_permutation, tails, tango

MAX_TESTED_UNITS = 200  # with more units that differ, the interval alone is accurate enough
N_PERMUTATIONS = 10_000


def estimate_difference(
    differences: Array, confidence: float = 0.95, *, groups: Array | None = None, span: float = 1.0, seed: int = 0
) -> Interval:
    """Return the mean of paired differences with an interval over items, or over groups if there are groups.

    `span` is the largest difference that one item can have. Differences of 1, 0 and −1 without groups have Tango's
    score interval; others have a t interval with one pseudo-item of +span and one of −span, so that it does not
    collapse if all items agree. An interval includes 0 if an exact test (McNemar's, or random signs) does not reject.

    >>> estimate_difference(np.array([1.0, 1, 1, 1, 1])).low
    0.0
    >>> estimate_difference(np.array([1.0, 1, 1, 1, 1, 1])).low > 0
    True
    """
    if not len(differences):
        return Interval(math.nan, math.nan, math.nan, confidence, "none")
    if groups is None and np.isin(differences, (-1.0, 0.0, 1.0)).all() and span == 1:
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        interval, p = tango(wins, losses, len(differences), confidence), mcnemar(wins, losses).p
    else:
        interval = estimate_mean(differences, confidence, groups=groups, span=span)
        p = _test_signs(differences, groups, seed)
    return include_zero(interval) if p > 1 - confidence else interval


def estimate_mean(
    differences: Array, confidence: float, *, groups: Array | None = None, span: float = 1.0, value: float | None = None
) -> Interval:
    """Return the mean with a t interval over items or groups, which counts two pseudo-items of ±span."""
    from scipy.special import stdtrit

    table = np.column_stack([differences, np.ones(len(differences))])
    sums, sizes = (table if groups is None else group_sums(table, groups)).T
    size = _choose_pseudo_size(sums, sizes)
    mean = float(sums.sum() / sizes.sum()) if value is None else value
    sums, sizes = np.append(sums, [size * span, -size * span]), np.append(sizes, [size, size])
    n_units = len(sums)
    middle = float(sums.sum() / sizes.sum())
    variance = float(((sums - sizes * middle) ** 2).sum()) * n_units / (n_units - 1) / float(sizes.sum()) ** 2
    half = float(stdtrit(max(n_units - 3, 1), tails(confidence)[1])) * math.sqrt(variance)
    low, high = max(min(middle - half, mean), -span), min(max(middle + half, mean), span)
    return Interval(mean, low, high, confidence, "t" if groups is None else "t over groups")


def scale_interval(interval: Interval, factor: float) -> Interval:
    """Return the interval in another unit."""
    value, low, high = (factor * end for end in (interval.value, interval.low, interval.high))
    return Interval(value, low, high, interval.confidence, interval.method)


def include_zero(interval: Interval) -> Interval:
    """Return the interval, widened to include 0."""
    return replace(interval, low=min(interval.low, 0.0), high=max(interval.high, 0.0))


def _choose_pseudo_size(sums: Array, sizes: Array) -> float:
    """Return how many items a pseudo-group has: as many as are worth one independent item.

    That is the upper 95% limit of the design effect of the groups, at most their mean size; all of it if all items
    agree, because then nothing is known about the groups.
    """
    from scipy.special import chdtri

    mean_size = float(sizes.mean())
    if mean_size <= 1 or len(sums) < 2:
        return max(mean_size, 1.0)
    share = float(sums.sum() / sizes.sum())
    between = float(((sums - sizes * share) ** 2).sum()) / (len(sums) - 1) / mean_size
    within = max(float(np.abs(sums).sum() / sizes.sum()) - share**2, 0.0)  # of one item, if differences are 1, 0 and −1
    if between <= 0 or within <= 0:
        return mean_size
    effect = between / within * (len(sums) - 1) / float(chdtri(len(sums) - 1, 0.95))
    return min(max(effect, 1.0), mean_size)


def _test_signs(differences: Array, groups: Array | None, seed: int) -> float:
    """Return the p-value of random signs of the units; 0 if there are so many that the interval decides alone."""
    units = differences if groups is None else group_sums(differences[:, None], groups)[:, 0]
    if np.count_nonzero(units) > MAX_TESTED_UNITS:
        return 0.0
    return paired_permutation(differences, np.zeros(len(differences)), N_PERMUTATIONS, seed, groups).p
