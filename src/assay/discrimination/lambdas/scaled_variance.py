"""λ_sva: λ_var times the headroom of the mean score (Xiao et al. 2022, equation 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.discrimination.lambdas.performance_variance import drop_missing, estimate_spread, explain_missing
from assay.views.results import Result


@dataclass(frozen=True)
class ScaledVariance(Result):
    """λ_var · (upper − mean) with its interval over items; `reason` says what is undefined."""

    lambda_sva: float
    low: float
    high: float
    upper: float
    n_systems: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


def measure_scaled_variance(
    scores: ArrayLike,
    upper: float = 100.0,
    *,
    outcomes: ArrayLike | None = None,
    n_items: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> ScaledVariance:
    """Return λ_var · (upper − mean of the scores); negative if the upper bound is below the mean.

    Interval as in `measure_performance_variance`; nan for fewer than two systems.

    >>> round(measure_scaled_variance([88, 92, 93]).lambda_sva, 2)
    23.81
    """
    values = drop_missing(scores)

    def scale_deviation(deviation: Array, mean: Array) -> Array:
        return deviation * (upper - mean)

    interval = estimate_spread(
        values, scale_deviation, outcomes, n_items, groups, n_resamples=n_resamples, random_state=random_state
    )
    reason = explain_missing(len(values), interval)
    return ScaledVariance(
        interval.value, interval.low, interval.high, float(upper), len(values), interval.method, reason
    )
