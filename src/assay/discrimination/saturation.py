"""Is a dataset used up: room left above the best system, and how close the top systems lie together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.errors import UsageError
from assay.base.results import Result


@dataclass(frozen=True)
class Saturation(Result):
    """Room above the best score, range of the top k, its share of the whole range, systems within one point."""

    headroom: float
    top_range: float
    compression: float
    n_within_one: int
    best: float
    n_systems: int
    k: int


def saturation(scores: Any, upper: float = 100.0, k: int = 5, lower_is_better: bool = False) -> Saturation:
    """Describe how much of a dataset is left (scores in percent, one a system).

    `compression` is 1 − (range of the top k) / (range of all): 1 when the top is flat, 0 when it spans
    everything; nan when all scores are equal or no more than k systems are there.

    >>> saturation([99.0, 98.5, 90.0, 60.0], k=2).compression
    0.987...
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1:
        raise UsageError(f"scores have shape {values.shape}; one score a system is needed.")
    values = values[np.isfinite(values)]
    if not len(values):
        return Saturation(math.nan, math.nan, math.nan, 0, math.nan, 0, k)
    sign = -1.0 if lower_is_better else 1.0
    ordered = np.sort(sign * values)[::-1]
    top, whole = float(ordered[0] - ordered[:k][-1]), float(ordered[0] - ordered[-1])
    compression = 1 - top / whole if whole > 0 and len(values) > k else math.nan
    headroom = sign * upper - float(ordered[0])
    near = int((ordered >= ordered[0] - 1.0).sum())
    return Saturation(headroom, top, compression, near, sign * float(ordered[0]), len(values), min(k, len(values)))
