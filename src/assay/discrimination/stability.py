"""Whether number one stays number one when the test set is cut in half."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.discrimination.resampling import resampled_scores
from assay.discrimination.threads import one_thread


@dataclass(frozen=True)
class Stability(Result):
    """Share of halves on which the first of the full set is first (alone or tied), and who else came first."""

    share_first: float
    first: int
    also_first: dict[int, float]
    kendall: float
    n_items: int
    n_halves: int
    reason: str | None = None


@one_thread
def stability_of_first(outcomes: Any, groups: Any = None, n_halves: int = 1000, random_state: int = 0) -> Stability:
    """Draw halves of the items without replacement and see who leads; groups stay whole.

    A tie for first counts as staying first. `kendall` is the mean τ-b between the rankings of the two
    halves of a cut. Ties on the full set keep row order.

    >>> stability_of_first([[1, 1, 1, 1], [0, 0, 0, 0]]).share_first
    1.0
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2:
        raise UsageError(f"outcomes have shape {table.shape}; systems × items are needed.")
    if len(table) < 2 or table.shape[1] < 2:
        reason = f"{table.shape[0]} systems on {table.shape[1]} items; halves need at least 2 of each"
        return Stability(math.nan, 0, {}, math.nan, table.shape[1], 0, reason)
    half = table.shape[1] // 2
    scores, full = resampled_scores(table, None, None, half, "subsample", groups, n_halves, random_state)
    first = int(np.nanargmax(full))
    leads = np.isclose(scores, np.nanmax(scores, axis=1, keepdims=True), rtol=0, atol=1e-12)
    others = {row: float(share) for row, share in enumerate(leads.mean(axis=0)) if row != first and share > 0}
    others = dict(sorted(others.items(), key=lambda pair: -pair[1])[:10])
    agreement = _agreement(scores[:100], full, half, table.shape[1])
    return Stability(float(leads[:, first].mean()), first, others, agreement, table.shape[1], n_halves)


def _agreement(scores: Array, full: Array, half: int, n: int) -> float:
    from scipy.stats import kendalltau

    rest = (full * n - scores * half) / (n - half)
    with np.errstate(invalid="ignore"):
        values = [float(kendalltau(a, b).statistic) for a, b in zip(scores, np.round(rest, 9), strict=True)]
    return float(np.nanmean(values)) if np.isfinite(values).any() else math.nan
