"""Whether the first system stays first when the test set is cut in half."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.discrimination.lambdas.resampling import score_resamples
from assay.discrimination.ranks.ranking import name_rows
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

MAX_OTHERS = 10
KENDALL_HALVES = 100


@dataclass(frozen=True)
class FirstPlaceStability(Result):
    """Share of halves on which the first system of the full set is first (alone or tied), and the others' shares."""

    system: str = field(metadata=NAME)
    share_first: float
    also_first: dict[str, float] = field(metadata=NAME)
    kendall_between_halves: float
    n_halves: int
    reason: str | None = field(default=None, metadata=OWN)

    def _frame(self) -> pl.DataFrame:
        """Return one row per system that is first on some half."""
        rows = [(self.system, self.share_first), *self.also_first.items()]
        return pl.DataFrame(rows, schema={"system": pl.String, "share_first": pl.Float64}, orient="row")


@use_one_thread()
def measure_stability(
    outcomes: ArrayLike,
    groups: ArrayLike | None = None,
    n_halves: int = 1000,
    random_state: int = 0,
    systems: Sequence[str] | None = None,
) -> FirstPlaceStability:
    """Draw halves of the items without replacement and count which system is first; groups stay whole.

    A tie for first place counts as first. `kendall_between_halves` is the mean τ-b between the rankings of the two
    halves. Ties on the full set keep row order.

    >>> measure_stability([[1, 1, 1, 1], [0, 0, 0, 0]]).share_first
    1.0
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2:
        raise UsageError(f"have shape {table.shape}; systems × items are needed.", option="outcomes")
    names = name_rows(systems, len(table))
    n_items = table.shape[1]
    if len(table) < 2 or n_items < 2:
        reason = f"{len(table)} systems on {n_items} items; halves need at least 2 of each"
        return FirstPlaceStability(names[0] if names else "", math.nan, {}, math.nan, 0, reason)
    half = n_items // 2
    scores, full = score_resamples(table, None, None, half, "subsample", groups, n_halves, random_state)
    first = int(np.nanargmax(full))
    leads = np.isclose(scores, np.nanmax(scores, axis=1, keepdims=True), rtol=0, atol=1e-12)
    shares = leads.mean(axis=0)
    others = [row for row in np.argsort(-shares, kind="stable") if row != first and shares[row] > 0]
    also_first = {names[row]: float(shares[row]) for row in others[:MAX_OTHERS]}
    agreement = _correlate_halves(scores[:KENDALL_HALVES], full, half, n_items)
    return FirstPlaceStability(names[first], float(leads[:, first].mean()), also_first, agreement, n_halves)


def _correlate_halves(scores: Array, full: Array, half: int, n: int) -> float:
    from scipy.stats import kendalltau

    rest = (full * n - scores * half) / (n - half)
    with np.errstate(invalid="ignore"):
        values = [float(kendalltau(a, b).statistic) for a, b in zip(scores, np.round(rest, 9), strict=True)]
    return float(np.nanmean(values)) if np.isfinite(values).any() else math.nan
