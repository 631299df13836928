"""Feldt's interval of Cronbach's alpha."""

from __future__ import annotations

import math

from assay.statistics import Interval


def feldt(alpha: float, n_systems: int, n_items: int, confidence: float = 0.95) -> Interval:
    """Return Feldt's (1965) interval of alpha."""
    from scipy.stats import f

    if n_systems < 2 or n_items < 2:
        return Interval(alpha, math.nan, math.nan, confidence, "feldt")
    first, second = n_systems - 1, (n_systems - 1) * (n_items - 1)
    low = 1 - (1 - alpha) * float(f.ppf((1 + confidence) / 2, first, second))
    high = 1 - (1 - alpha) * float(f.ppf((1 - confidence) / 2, first, second))
    return Interval(alpha, low, high, confidence, "feldt")
