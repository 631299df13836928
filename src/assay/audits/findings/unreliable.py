"""Scores that say little about the systems."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.statistics import Interval

LEAST = 0.7
LEAST_SYSTEMS = 5


def find(seen: Seen) -> Iterator[Finding]:
    """Report a reliability (Cronbach's alpha over items) below 0.7 with at least five systems (Feldt's interval)."""
    result = seen.result("discrimination")
    if result.get("basis") != "predictions" or result["n_systems"] < LEAST_SYSTEMS:
        return
    for one in result["items"]:
        if one["reliability"] is None:
            continue
        alpha = feldt(one["reliability"], result["n_systems"], one["n_items"])
        if alpha.high < LEAST:
            wanted = round(one["n_items"] * LEAST * (1 - alpha.value) / max(alpha.value * (1 - LEAST), 1e-9))
            claim = (
                f"Scores are unreliable: alpha {alpha.value:.2f} [{alpha.low:.2f}, {alpha.high:.2f}] over "
                f"{one['n_items']:,} items and {result['n_systems']} systems, below {LEAST}."
            )
            action = (
                f"About {wanted:,} items of this kind would reach {LEAST}." if alpha.value > 0 else "Replace items."
            )
            yield UNRELIABLE.finding("warning", claim, alpha, action, {"n": one["n_items"]})


def feldt(alpha: float, n_systems: int, n_items: int, confidence: float = 0.95) -> Interval:
    """Return Feldt's (1965) interval of alpha.

    >>> found = feldt(0.8, 41, 26)
    >>> round(found.low, 2), round(found.high, 2)
    (0.7, 0.88)
    """
    from scipy.stats import f

    if n_systems < 2 or n_items < 2:
        return Interval(alpha, math.nan, math.nan, confidence, "feldt")
    first, second = n_systems - 1, (n_systems - 1) * (n_items - 1)
    low = 1 - (1 - alpha) * float(f.ppf((1 + confidence) / 2, first, second))
    high = 1 - (1 - alpha) * float(f.ppf((1 - confidence) / 2, first, second))
    return Interval(alpha, low, high, confidence, "feldt")


UNRELIABLE = Check("A506", "discrimination", "Unreliable scores", find)
