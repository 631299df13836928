"""λ_var: how far apart the scores of the systems are (Xiao et al. 2022, equation 1)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.discrimination.lambdas.spread_intervals import (
    NO_ITEMS,
    Spread,
    bootstrap_spread,
    measure_spread,
    simulate_spread,
    skip_interval,
)
from assay.statistics import Interval
from assay.views.results import Result


@dataclass(frozen=True)
class PerformanceVariance(Result):
    """The standard deviation of the scores with its interval over items; `reason` says what is undefined."""

    lambda_var: float
    low: float
    high: float
    mean: float
    n_systems: int
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


def measure_performance_variance(
    scores: ArrayLike,
    *,
    outcomes: ArrayLike | None = None,
    n_items: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> PerformanceVariance:
    """Return the sample standard deviation (ddof = 1) of the scores; nan for fewer than two systems.

    The interval is a bootstrap over the items of `outcomes` (systems × items, in the order of the scores, on the scale
    0–1 for percent scores), or a binomial approximation from `n_items`; otherwise nan.

    >>> round(measure_performance_variance([88, 92, 93]).lambda_var, 2)
    2.65
    """
    values = drop_missing(scores)
    interval = estimate_spread(
        values, use_deviation, outcomes, n_items, groups, n_resamples=n_resamples, random_state=random_state
    )
    mean = float(values.mean()) if len(values) else float("nan")
    reason = explain_missing(len(values), interval)
    return PerformanceVariance(interval.value, interval.low, interval.high, mean, len(values), interval.method, reason)


def drop_missing(scores: ArrayLike) -> Array:
    """Return the scores as numbers without the missing ones."""
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1:
        raise UsageError(f"have shape {values.shape}; one score per system is needed, a plain list.", option="scores")
    finite: Array = values[np.isfinite(values)]
    return finite


def use_deviation(deviation: Array, mean: Array) -> Array:  # noqa: ARG001, one signature for all spreads
    """Return the standard deviation of the scores as their spread."""
    return deviation


def estimate_spread(
    values: Array,
    spread: Spread,
    outcomes: ArrayLike | None,
    n_items: ArrayLike | None,
    groups: ArrayLike | None,
    *,
    n_resamples: int,
    random_state: int,
) -> Interval:
    """Return a spread of the scores with the best interval that the input allows."""
    value = measure_spread(values, spread)
    if outcomes is not None and len(values) > 1:
        interval = bootstrap_spread(outcomes, spread, 100.0, n_resamples, random_state, groups)
    elif n_items is not None and len(values) > 1:
        interval = simulate_spread(values, n_items, spread, 100.0, n_resamples, random_state)
    else:
        interval = skip_interval(value)
    return Interval(value, interval.low, interval.high, interval.confidence, interval.method)


def explain_missing(n_scores: int, interval: Interval) -> str | None:
    """Say why a spread or its interval is undefined; None if both are defined."""
    if n_scores < 2:
        return f"{n_scores} scores; at least 2 systems are needed"
    return None if np.isfinite(interval.low) else f"no interval: {NO_ITEMS}"
