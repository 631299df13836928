"""How much of the uncertainty of a score comes from items, and how much from repeats."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.evaluation.predictions.types import Predictions
from assay.views.results import Result


@dataclass(frozen=True)
class SystemRepeats(Result):
    """The variance of one system: between items, and between repeats of an item.

    `standard_error` belongs to the mean over items and repeats. `sd_scores` is the standard deviation of the score from
    one repeat to the next. `items_equivalent` is how many items, run once, would be as precise.
    """

    system: str = field(metadata=NAME)
    n: int
    n_items: int
    sd_items: float
    sd_repeats: float
    standard_error: float
    sd_scores: float
    items_equivalent: float


@dataclass(frozen=True)
class Repeats(Result):
    """Repeats of all systems: their number, and the components of variance (root mean squares over systems)."""

    n: int
    sd_items: float
    sd_repeats: float
    standard_error: float
    systems: tuple[SystemRepeats, ...]


def measure_repeats(predictions: Predictions) -> Repeats | None:
    """Split the variance of stacked repeats into items and repeats; None if nothing was repeated."""
    if predictions.n_repeats < 2:
        return None
    tables = dict(zip(predictions.names, split_repeats(predictions), strict=True))
    systems = tuple(split_variance(name, table) for name, table in tables.items())

    def pool(name: str) -> float:
        values = np.array([getattr(row, name) for row in systems])
        values = values[np.isfinite(values)]
        return math.sqrt(float((values**2).mean())) if len(values) else math.nan

    n = max(row.n for row in systems)
    return Repeats(n, pool("sd_items"), pool("sd_repeats"), pool("standard_error"), systems)


def split_repeats(predictions: Predictions) -> Array:
    """Return the outcomes of stacked predictions as systems × repeats × items."""
    outcomes = predictions.outcomes()
    return outcomes.reshape(len(outcomes), predictions.n_repeats, -1)


def split_variance(system: str, table: Array) -> SystemRepeats:
    """Split the variance of outcomes, repeats × items with nan for missing ones, by analysis of variance.

    >>> result = split_variance("x", np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0]]))
    >>> result.n, round(result.sd_repeats, 3), round(result.standard_error, 3)
    (2, 0.354, 0.239)
    """
    counts = np.isfinite(table).sum(axis=0)
    answered = counts > 0
    values, sizes = table[:, answered], counts[answered]
    n_items, n = int(answered.sum()), int(counts.max(initial=0))
    if n_items < 2:
        return SystemRepeats(system, n, n_items, *[math.nan] * 5)
    means = np.nansum(values, axis=0) / sizes
    freedom = int((sizes - 1).sum())
    squares = np.nansum((values - means) ** 2)
    within = float(squares) / freedom if freedom else math.nan
    spread = float(means.var(ddof=1))
    per_mean = within * float((1 / sizes).mean()) if freedom else 0.0  # of the variance of means, due to repeats
    between = max(spread - per_mean, 0.0)
    scores = np.array([np.nanmean(row) for row in values if np.isfinite(row).any()])
    single = between + (within if freedom else 0.0)
    return SystemRepeats(
        system,
        n,
        n_items,
        math.sqrt(between),
        math.sqrt(within) if freedom else math.nan,
        math.sqrt(spread / n_items),
        float(scores.std(ddof=1)) if len(scores) > 1 else math.nan,
        n_items * single / spread if spread > 0 else math.nan,
    )
