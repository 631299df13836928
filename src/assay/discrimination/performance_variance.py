"""λ_var: how far the scores of the top systems lie apart (paper 000, equation 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.discrimination.spread import NO_ITEMS, none, over_binomial, over_items
from assay.statistics import Interval


@dataclass(frozen=True)
class PerformanceVariance(Result):
    """The standard deviation of the scores, its interval over items, and why there is none."""

    lambda_var: float
    low: float
    high: float
    mean: float
    n_systems: int
    method: str
    reason: str | None = None


def performance_variance(
    scores: Any,
    *,
    outcomes: Any = None,
    n_items: Any = None,
    groups: Any = None,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> PerformanceVariance:
    """Return the sample standard deviation (ddof = 1) of the scores; nan for fewer than two systems.

    The interval is a bootstrap over the items of `outcomes` (systems × items, in the order of the
    scores, on the scale 0–1 against percent scores), or a binomial guess from `n_items`; else nan.

    >>> round(performance_variance([88, 92, 93]).lambda_var, 2)
    2.65
    """
    values = present(scores)
    interval = spread_interval(values, deviation, outcomes, n_items, groups, n_resamples, random_state)
    reason = _reason(values, interval)
    return PerformanceVariance(
        interval.value, interval.low, interval.high, _mean(values), len(values), interval.method, reason
    )


def present(scores: Any) -> Array:
    """Return the scores as numbers without the missing ones."""
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1:
        raise UsageError(f"scores have shape {values.shape}; one score a system is needed, a plain list.")
    finite: Array = values[np.isfinite(values)]
    return finite


def deviation(rows: Array) -> Array:
    """Return the standard deviation (ddof = 1) of every row, nan below two columns."""
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan)
    return np.asarray(np.std(rows, axis=1, ddof=1))


def spread_interval(
    values: Array, spread: Any, outcomes: Any, n_items: Any, groups: Any, n_resamples: int, random_state: int
) -> Interval:
    """Return a spread of the scores with the best interval that the input allows."""
    value = float(spread(values[None])[0])
    if outcomes is not None and len(values) > 1:
        found = over_items(outcomes, spread, 100.0, n_resamples, random_state, groups)
    elif n_items is not None and len(values) > 1:
        found = over_binomial(values, n_items, spread, 100.0, n_resamples, random_state)
    else:
        found = none(value)
    return Interval(value, found.low, found.high, found.confidence, found.method)


def _reason(values: Array, interval: Interval) -> str | None:
    if len(values) < 2:
        return f"{len(values)} scores; at least 2 systems are needed"
    return None if np.isfinite(interval.low) else f"no interval: {NO_ITEMS}"


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")
