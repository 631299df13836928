"""λ_sva: λ_var times the room left above the top systems (paper 000, equation 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.discrimination.performance_variance import deviation, present, spread_interval
from assay.discrimination.spread import NO_ITEMS


@dataclass(frozen=True)
class ScaledVariance(Result):
    """λ_var · (upper − mean), its interval over items, and why a part of it is missing."""

    lambda_sva: float
    low: float
    high: float
    upper: float
    n_systems: int
    method: str
    reason: str | None = None


def scaled_variance(
    scores: Any,
    upper: float = 100.0,
    *,
    outcomes: Any = None,
    n_items: Any = None,
    groups: Any = None,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> ScaledVariance:
    """Return λ_var · (upper − mean of the scores); negative where the upper bound lies below the mean.

    Interval as in `performance_variance`. Nan for fewer than two systems.

    >>> round(scaled_variance([88, 92, 93]).lambda_sva, 2)
    23.81
    """
    values = present(scores)

    def scaled(rows: Array) -> Array:
        room = upper - rows.mean(axis=1) if rows.shape[1] else np.full(len(rows), np.nan)
        return np.asarray(deviation(rows) * room)

    found = spread_interval(values, scaled, outcomes, n_items, groups, n_resamples, random_state)
    reason = f"{len(values)} scores; at least 2 systems are needed" if len(values) < 2 else None
    if reason is None and not np.isfinite(found.low):
        reason = f"no interval: {NO_ITEMS}"
    return ScaledVariance(found.value, found.low, found.high, float(upper), len(values), found.method, reason)
