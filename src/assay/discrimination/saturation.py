"""Saturation of a dataset: headroom above the best system, and how close together the top systems are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.errors import UsageError
from assay.views.results import Result

POINTS_NEAR_BEST = 1.0


@dataclass(frozen=True)
class Saturation(Result):
    """Headroom above the best score, range of the top k and its share of the whole range, systems within one point."""

    headroom: float
    top_range: float
    compression: float
    n_within_one: int
    best: float
    n_systems: int
    k: int


def measure_saturation(
    scores: ArrayLike, upper: float = 100.0, k: int = 5, lower_is_better: bool = False
) -> Saturation:
    """Measure how much of a dataset is left for better systems (scores in percent, one per system).

    `compression` is 1 − (range of the top k) / (range of all): 1 when the top is flat, 0 when it spans everything; nan
    when all scores are equal or there are no more than k systems.

    >>> measure_saturation([99.0, 98.5, 90.0, 60.0], k=2).compression
    0.987...
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1:
        raise UsageError(f"have shape {values.shape}; one score per system is needed.", option="scores")
    values = values[np.isfinite(values)]
    if not len(values):
        return Saturation(math.nan, math.nan, math.nan, 0, math.nan, 0, k)
    sign = -1.0 if lower_is_better else 1.0
    ordered = np.sort(sign * values)[::-1]
    top_range, full_range = float(ordered[0] - ordered[:k][-1]), float(ordered[0] - ordered[-1])
    compression = 1 - top_range / full_range if full_range > 0 and len(values) > k else math.nan
    headroom = sign * upper - float(ordered[0])
    n_near = int((ordered >= ordered[0] - POINTS_NEAR_BEST).sum())
    best = sign * float(ordered[0])
    return Saturation(headroom, top_range, compression, n_near, best, len(values), min(k, len(values)))
