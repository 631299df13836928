"""Intervals that are calibrated on other families than the one predicted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result

Predict = Callable[[Array, Array, Array], Array]  # features and λ of training rows, features asked → λ


@dataclass(frozen=True)
class Margins(Result):
    """How far log(1 + λ) lies from its prediction: the quantiles an interval is made of."""

    low: float
    high: float
    confidence: float
    n_families: int

    def interval(self, predicted: Array) -> tuple[Array, Array]:
        """Return both ends of the interval, never below 0."""
        middle = np.log1p(predicted)
        return np.maximum(np.expm1(middle + self.low), 0.0), np.maximum(np.expm1(middle + self.high), 0.0)


def margins(residuals: Array, families: Array, confidence: float = 0.8) -> Margins:
    """Return the margins that hold for a family as likely as another: every family weighs the same.

    >>> margins(np.linspace(-1, 1, 101), np.zeros(101), 0.8).high
    0.808
    """
    names, codes, counts = np.unique(families, return_inverse=True, return_counts=True)
    weights = 1 / counts[codes]
    tail = (1 - confidence) / 2
    order = np.argsort(residuals, kind="stable")
    reached = (np.cumsum(weights[order]) - 0.5 * weights[order]) / weights.sum()
    low, high = np.interp([tail, 1 - tail], reached, residuals[order])
    return Margins(float(np.round(low, 12)), float(np.round(high, 12)), confidence, len(names))


def held_out_residuals(X: Array, y: Array, families: Array, predict: Predict) -> Array:
    """Return log(1 + λ) minus its prediction by a model that saw no row of the family."""
    residuals = np.zeros(len(y))
    for family in np.unique(families):
        held = families == family
        residuals[held] = np.log1p(y[held]) - np.log1p(predict(X[~held], y[~held], X[held]))
    return residuals


@dataclass(frozen=True)
class Coverage(Result):
    """The share of held-out sub-datasets inside their intervals, overall and by family, and how wide these are."""

    coverage: float
    confidence: float
    n: int
    width_ratio: float
    by_family: dict[str, float]


def coverage(X: Array, y: Array, families: Array, predict: Predict, confidence: float = 0.8) -> Coverage:
    """Measure coverage on each family in turn; its margins come from the other families, each held out among them.

    `width_ratio` is the median of (1 + high) / (1 + low).
    """
    inside, ratios = np.zeros(len(y), dtype=bool), np.zeros(len(y))
    for family in np.unique(families):
        held = families == family
        residuals = held_out_residuals(X[~held], y[~held], families[~held], predict)
        low, high = margins(residuals, families[~held], confidence).interval(predict(X[~held], y[~held], X[held]))
        inside[held] = (y[held] >= low) & (y[held] <= high)
        ratios[held] = (1 + high) / (1 + low)
    by_family = {str(name): float(inside[families == name].mean()) for name in np.unique(families)}
    return Coverage(float(inside.mean()), confidence, len(y), float(np.median(ratios)), by_family)
