"""λ_hit: how often the better of two systems also wins on a resample (Xiao et al. 2022, equation 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.discrimination.lambdas.hit_interval import compute_hit_interval
from assay.discrimination.lambdas.hit_null import approximate_null_rate, compute_null_rate
from assay.discrimination.lambdas.resampling import (
    RESAMPLINGS,
    ScoreFunction,
    divide_sums,
    score_resamples,
    sum_outcomes,
)
from assay.statistics import bootstrap_sums
from assay.views.results import Result

INTERVAL_RESAMPLES = 1000


@dataclass(frozen=True)
class HitRate(Result):
    """How often the better system also wins on a resample of the test set; nan for fewer than two systems.

    `pairs` holds the winner's probability of every pair in the order of `numpy.triu_indices`; `null` is the expected
    value for equal systems, about 0.75 for a bootstrap of many items.
    """

    lambda_hit: float
    low: float
    high: float
    n_systems: int
    n_items: int
    n_resamples: int
    resampling: str = field(metadata=OWN)
    share: float
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)
    null: float = math.nan
    pairs: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False, metadata={"json": False})


def measure_hit_rate(
    outcomes: ArrayLike,
    resampling: str = "bootstrap",
    share: float = 0.8,
    *,
    interval: bool = False,
    metric: ScoreFunction | None = None,
    statistics: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> HitRate:
    """Return the mean over all pairs of P(the winner on the full set wins on a resample).

    0/1 outcomes (systems × items) are computed exactly, whatever `n_resamples`; other numbers by their resampled
    means. A `metric` of sums comes with `statistics` (systems × items × sums) and maps sums to a value; without them
    it maps the drawn outcomes of one system to a value and is called for every resample. Ties on a resample are not
    a win. A pair tied on the full set has no winner and counts with the mean of both systems' probabilities,
    (1 − P(tie)) / 2, which is 0 for equal answers. A missing outcome (nan) leaves its item out of the pair. `interval`
    bootstraps the items (see `hit_interval`).

    >>> measure_hit_rate([[1, 1, 1, 0], [1, 1, 0, 0]]).lambda_hit
    0.68359375
    """
    table, sums = _check_tables(outcomes, statistics)
    n_drawn = _count_drawn(table.shape[1], resampling, share)
    share_used = 1.0 if resampling == "bootstrap" else share
    counts = (len(table), table.shape[1])
    if min(counts) < 1 or len(table) < 2:
        too_few = f"{counts[0]} systems and {counts[1]} items; at least 2 systems and 1 item are needed"
        return HitRate(math.nan, math.nan, math.nan, *counts, 0, resampling, share_used, "none", too_few)
    exact = metric is None and sums is None and groups is None and _is_binary(table)
    if exact:
        from assay.discrimination.lambdas.pair_hits import compute_pair_hits

        pairs = compute_pair_hits(table, resampling, share)
    else:
        pairs = count_pair_hits(
            *score_resamples(table, sums, metric, n_drawn, resampling, groups, n_resamples, random_state)
        )
    value = float(np.nanmean(pairs)) if np.isfinite(pairs).any() else math.nan
    by_calls = metric is not None and sums is None
    low, high = math.nan, math.nan
    if interval and not by_calls:
        drawn_share = None if resampling == "bootstrap" else share
        low, high = _measure_interval(value, table, sums, metric, drawn_share, groups, random_state)
    reason = "no interval: this metric is not a function of sums" if interval and by_calls else None
    method = "exact" if exact else "resampling" if by_calls else "sums"
    n_used = 0 if exact else n_resamples
    null = approximate_null_rate(resampling, share)
    if _is_binary(table) and metric is None and sums is None:
        null = compute_null_rate(table, resampling, share)
    return HitRate(value, low, high, *counts, n_used, resampling, share_used, method, reason, null, pairs)


def count_pair_hits(scores: Array, full: Array) -> Array:
    """Return the winner's share of resamples for every pair; `scores` is resamples × systems."""
    first, second = np.triu_indices(len(full), 1)
    hits = np.empty(len(first))
    for number, (i, j) in enumerate(zip(first, second, strict=True)):
        up, down = np.mean(scores[:, i] > scores[:, j]), np.mean(scores[:, i] < scores[:, j])
        hits[number] = up if full[i] > full[j] else down if full[i] < full[j] else (up + down) / 2
    hits[~(np.isfinite(full)[first] & np.isfinite(full)[second])] = np.nan
    return hits


def _measure_interval(
    value: float,
    table: Array,
    sums: Array | None,
    metric: ScoreFunction | None,
    share: float | None,
    groups: ArrayLike | None,
    random_state: int,
) -> tuple[float, float]:
    terms = sum_outcomes(table) if sums is None else sums
    n_systems, n_items, n_sums = terms.shape
    flat = terms.transpose(1, 0, 2).reshape(n_items, n_systems * n_sums)
    score = metric or divide_sums
    drawn = bootstrap_sums(flat, INTERVAL_RESAMPLES, random_state, groups).reshape(-1, n_systems, n_sums)
    scores = np.asarray(score(terms.sum(axis=1)[None]))[0]
    lattice = 1.0 / n_items if _is_binary(table) and sums is None and groups is None else 0.0
    spread = 1.0 if share is None else math.sqrt((1 - share) / share)  # of a subsample without replacement
    return compute_hit_interval(value, scores, np.asarray(score(drawn)), lattice, spread)


def _check_tables(outcomes: ArrayLike, statistics: ArrayLike | None) -> tuple[Array, Array | None]:
    table = np.asarray(outcomes if outcomes is not None else np.asarray(statistics)[:, :, 0], dtype=float)
    if table.ndim != 2:
        raise UsageError(f"have shape {table.shape}; systems × items are needed.", option="outcomes")
    if statistics is None:
        return table, None
    sums = np.asarray(statistics, dtype=float)
    if sums.ndim != 3 or sums.shape[:2] != table.shape:
        raise UsageError(
            f"have shape {sums.shape}; {len(table)} × {table.shape[1]} × sums are needed.", option="statistics"
        )
    return table, sums


def _count_drawn(n_items: int, resampling: str, share: float) -> int:
    RESAMPLINGS[resampling]  # raises for an unknown name
    if not 0 < share <= 1:
        raise UsageError(f"is {share}; it must be in (0, 1], such as 0.8.", option="share")
    return n_items if resampling == "bootstrap" else max(1, round(share * n_items))


def _is_binary(table: Array) -> bool:
    return bool(((table == 0) | (table == 1) | np.isnan(table)).all())
