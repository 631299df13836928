"""Reliability of a test: Cronbach's alpha with Feldt's interval."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from assay.base.errors import UsageError
from assay.statistics.interval import tails
from assay.views.values import Interval


def cronbach_alpha(outcomes: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return alpha of a table with one row per test taker and one column per item (KR-20 for 0/1 outcomes).

    Variances have ddof = 1. Alpha is nan with fewer than two rows or columns, or if all totals are equal.

    >>> round(cronbach_alpha([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]]).value, 3)
    0.867
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2:
        raise UsageError(f"Alpha needs a table of test takers × items; it has shape {table.shape}.")
    n_takers, n_items = table.shape
    totals = table.sum(axis=1)
    if n_takers < 2 or n_items < 2 or np.ptp(totals) == 0:
        return feldt_interval(math.nan, n_takers, n_items, confidence)
    alpha = n_items / (n_items - 1) * (1 - float(table.var(axis=0, ddof=1).sum()) / float(totals.var(ddof=1)))
    return feldt_interval(alpha, n_takers, n_items, confidence)


def feldt_interval(alpha: float, n_takers: int, n_items: int, confidence: float = 0.95) -> Interval:
    """Return the interval of a known alpha (Feldt 1965); nan with fewer than two test takers or items.

    >>> interval = feldt_interval(0.8, 41, 26)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.7, 0.88)
    """
    from scipy.stats import f

    lower, upper = tails(confidence)
    if n_takers < 2 or n_items < 2:
        return Interval(alpha, math.nan, math.nan, confidence, "feldt")
    freedom = (n_takers - 1, (n_takers - 1) * (n_items - 1))
    low, high = (1 - (1 - alpha) * float(f.ppf(tail, *freedom)) for tail in (upper, lower))
    return Interval(alpha, low, high, confidence, "feldt")
