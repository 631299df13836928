"""The cost of a split with its interval, and scores that can be compared between test sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from assay.statistics import Interval
from assay.wording.numbers import format_interval

MIN_DROP = 0.02  # of a score, above which a harder split costs something
LARGE_DROP = 0.05  # of a score, which an interval must exclude before a split counts as harmless
# Metrics that are not shares of 100, so that their differences are not points.
OWN_UNITS = ("r2", "spearman", "pearson")


def write_drop(drop: Interval, metric: str) -> str:
    """Write a difference of scores with its interval: in points, or as it is for a metric that is not a share.

    >>> write_drop(Interval(0.05, 0.02, 0.08), "accuracy"), write_drop(Interval(0.05, 0.02, 0.08), "r2")
    ('5 points [2, 8]', '0.05 [0.02, 0.08]')
    """
    return format_interval(drop, "number" if metric in OWN_UNITS else "points")


class DropInterval:
    """Mixin of results with a drop, its standard error and the degrees of freedom."""

    n_items: int
    drop: float
    standard_error: float
    degrees: int

    @property
    def is_share(self) -> bool:
        """Whether the drop is one of a score between 0 and 1."""
        return True

    def bound_drop(self, confidence: float = 0.95) -> Interval:
        """Return the drop with its t interval.

        Items that all change alike have no spread, but other items may change otherwise: then Wilson's interval of no
        such item among these is the width. A drop of a share is at most 1.
        """
        from scipy.stats import norm, t

        half = float(t.ppf((1 + confidence) / 2, self.degrees)) * self.standard_error
        if self.is_share and not self.standard_error:
            square = float(norm.ppf((1 + confidence) / 2)) ** 2
            half = square / (self.n_items + square)
        limit = 1.0 if self.is_share else math.inf
        low, high = max(self.drop - half, -limit), min(self.drop + half, limit)
        return Interval(self.drop, low, high, confidence, "t over draws")


Stress = TypeVar("Stress", bound=DropInterval)


def find_hardest(rows: Sequence[Stress]) -> tuple[Stress, Interval] | None:
    """Return the split whose drop has the highest lower end, and this drop; None if there are no splits.

    The 95% intervals are corrected for the number of splits.
    """
    drops = [(row, row.bound_drop(1 - 0.05 / len(rows))) for row in rows]
    known = [pair for pair in drops if math.isfinite(pair[1].low)]
    return max(known, key=lambda pair: pair[1].low, default=None)


def combine_errors(by_draws: float, by_items: float, n_draws: int, n_items: int) -> tuple[float, int]:
    """Return the larger standard error and its degrees of freedom.

    Held-out sides are whole clusters of items, so the draws count, no matter how many items each has.
    """
    return max(by_draws, by_items), n_draws - 1 if by_draws > by_items else max(n_items - 1, 1)


def compute_error_reduction(score: float, baseline: float) -> float:
    """Return the share of the baseline's errors that are avoided; nan for a perfect or unknown baseline.

    >>> compute_error_reduction(0.9, 0.5)
    0.8
    """
    return (score - baseline) / (1 - baseline) if baseline < 1 else math.nan
