"""Intervals that several findings need: differences of shares, and agreement beyond chance."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array
from assay.statistics import Interval, wilson


def exact(value: float) -> Interval:
    """Return a number that was counted, not estimated."""
    return Interval(value, math.nan, math.nan, method="counted")


def difference(first: tuple[float, int], second: tuple[float, int], confidence: float = 0.95) -> Interval:
    """Return the difference of two shares of independent items (Newcombe's hybrid of Wilson's intervals).

    >>> found = difference((0.8, 100), (0.6, 100))
    >>> round(found.value, 2), round(found.low, 3), round(found.high, 3)
    (0.2, 0.073, 0.319)
    """
    (p, n), (q, m) = first, second
    if n < 1 or m < 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "newcombe")
    one, other = wilson(p * n, n, confidence), wilson(q * m, m, confidence)
    below = math.hypot(p - one.low, other.high - q)
    above = math.hypot(one.high - p, q - other.low)
    return Interval(p - q, p - q - below, p - q + above, confidence, "newcombe")


def paired_difference(p: float, q: float, n: int, confidence: float = 0.95) -> Interval:
    """Return the difference of two shares of the same n items whose overlap is not known: the widest it can be.

    At most (1 − p) + (1 − q) or p + q of the items are answered differently.
    """
    from scipy.special import ndtri

    if n < 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "bound")
    gap = p - q
    discordant = min(1.0, 2 - p - q, p + q)
    half = float(ndtri((1 + confidence) / 2)) * math.sqrt(max(discordant - gap * gap, 0.0) / n)
    return Interval(gap, max(-1.0, gap - half), min(1.0, gap + half), confidence, "bound")


def kappa(predicted: Array, gold: Array, confidence: float = 0.95) -> Interval:
    """Return Cohen's kappa: agreement beyond what the two margins give by chance; its large-sample interval.

    >>> round(kappa(np.array(list("aabb")), np.array(list("aabb"))).value, 2)
    1.0
    """
    from scipy.special import ndtri

    n = len(gold)
    names = sorted({str(name) for name in gold} | {str(name) for name in predicted})
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    np.add.at(table, ([place[str(x)] for x in predicted], [place[str(x)] for x in gold]), 1.0)
    if n < 2:
        return Interval(math.nan, math.nan, math.nan, confidence, "kappa")
    table /= n
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    observed, chance = float(np.trace(table)), float(rows @ columns)
    if chance >= 1:
        return Interval(math.nan, math.nan, math.nan, confidence, "kappa")
    error = math.sqrt(max(observed * (1 - observed), chance * (1 - chance)) / n) / (1 - chance)
    half = float(ndtri((1 + confidence) / 2)) * error
    value = (observed - chance) / (1 - chance)
    return Interval(value, value - half, value + half, confidence, "kappa")
