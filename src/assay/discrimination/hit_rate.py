"""λ_hit: how often the better of two systems also wins on a resample (paper 000, equation 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.discrimination.resampling import RESAMPLINGS, resampled_scores
from assay.errors import UsageError
from assay.results import Result
from assay.statistics import bca, bootstrap_weights

Array = np.ndarray[Any, Any]
_OUTER, _INNER = 200, 200  # resamples of resamples, where the hit rate is not exact


@dataclass(frozen=True)
class HitRate(Result):
    """How often the better system also wins on a resample of the test set; nan for fewer than two systems.

    `pairs` holds the winner's chance of every pair in the order of `numpy.triu_indices`.
    """

    lambda_hit: float
    low: float
    high: float
    n_systems: int
    n_items: int
    n_resamples: int
    resampling: str
    share: float
    method: str
    reason: str | None = None
    pairs: Array = field(default_factory=lambda: np.empty(0), repr=False, compare=False)


def hit_rate(
    outcomes: Any,
    resampling: str = "bootstrap",
    share: float = 0.8,
    *,
    interval: bool = False,
    metric: Callable[[Array], Any] | None = None,
    statistics: Any = None,
    groups: Any = None,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> HitRate:
    """Return the mean over all pairs of P(the winner on the full set wins on a resample).

    0/1 outcomes (systems × items) are computed exactly, whatever `n_resamples`; other numbers by their
    resampled means. A `metric` of sums comes with `statistics` (systems × items × sums) and maps sums
    to a value; without them it maps one system's drawn outcomes to a value and is called anew for every
    resample. Ties on a resample are no win. A pair tied on the full set has no winner and counts with
    the mean of both systems' chances, (1 − P(tie)) / 2, which is 0 for equal answers. A missing outcome
    (nan) leaves its item out of the pair.

    >>> hit_rate([[1, 1, 1, 0], [1, 1, 0, 0]]).lambda_hit
    0.68359375
    """
    table, sums = _tables(outcomes, statistics)
    drawn = _n_drawn(table.shape[1], resampling, share)
    share_used = 1.0 if resampling == "bootstrap" else share
    counts = (len(table), table.shape[1])
    if min(counts) < 1 or len(table) < 2:
        why = f"{counts[0]} systems and {counts[1]} items; at least 2 systems and 1 item are needed"
        nothing = (math.nan, math.nan, math.nan, *counts, 0, resampling, share_used, "none", why)
        return HitRate(*nothing)
    if metric is None and sums is None and groups is None and _is_binary(table):
        from assay.discrimination.exact_hits import exact_hits

        value, low, high, pairs = exact_hits(table, resampling, share, interval, min(n_resamples, 1000), random_state)
        return HitRate(value, low, high, *counts, 0, resampling, share_used, "exact", pairs=pairs)
    scores, full = resampled_scores(table, sums, metric, drawn, resampling, groups, n_resamples, random_state)
    pairs = pair_hits(scores, full)
    value = _mean(pairs)
    method = "sums" if sums is not None or metric is None else "resampling"
    low, high = math.nan, math.nan
    reason: str | None = None
    if interval and method == "resampling":
        reason = "no interval: a metric that is not a function of sums would need resamples of resamples"
    elif interval:
        low, high = _ends(value, table, sums, metric, resampling, share, groups, random_state)
    return HitRate(value, low, high, *counts, n_resamples, resampling, share_used, method, reason, pairs)


def _ends(
    value: float, table: Array, sums: Array | None, metric: Any, resampling: str, share: float, groups: Any, seed: int
) -> tuple[float, float]:
    """Resample the items and compute the hit rate of every resample, itself with a few resamples; BC interval."""
    weights = bootstrap_weights(table.shape[1], _OUTER, seed, groups)
    seeds = np.random.SeedSequence(seed).generate_state(_OUTER)
    values = []
    for row, inner in zip(weights, seeds, strict=True):
        items = np.repeat(np.arange(table.shape[1]), row)
        names = None if groups is None else np.asarray(groups)[items]
        drawn = _n_drawn(len(items), resampling, share)
        some = None if sums is None else sums[:, items]
        found = resampled_scores(table[:, items], some, metric, drawn, resampling, names, _INNER, int(inner))
        values.append(_mean(pair_hits(*found)))
    ends = bca(value, values, [])
    return ends.low, ends.high


def _mean(pairs: Array) -> float:
    return float(np.nanmean(pairs)) if np.isfinite(pairs).any() else math.nan


def pair_hits(scores: Array, full: Array) -> Array:
    """Return the winner's share of resamples for every pair; `scores` is resamples × systems."""
    first, second = np.triu_indices(len(full), 1)
    hits = np.empty(len(first))
    for number, (i, j) in enumerate(zip(first, second, strict=True)):
        up, down = np.mean(scores[:, i] > scores[:, j]), np.mean(scores[:, i] < scores[:, j])
        hits[number] = up if full[i] > full[j] else down if full[i] < full[j] else (up + down) / 2
    hits[~(np.isfinite(full)[first] & np.isfinite(full)[second])] = np.nan
    return hits


def _tables(outcomes: Any, statistics: Any) -> tuple[Array, Array | None]:
    table = np.asarray(outcomes if outcomes is not None else np.asarray(statistics)[:, :, 0], dtype=float)
    if table.ndim != 2:
        raise UsageError(f"outcomes have shape {table.shape}; systems × items are needed.")
    if statistics is None:
        return table, None
    sums = np.asarray(statistics, dtype=float)
    if sums.ndim != 3 or sums.shape[:2] != table.shape:
        raise UsageError(f"statistics have shape {sums.shape}; {len(table)} × {table.shape[1]} × sums are needed.")
    return table, sums


def _n_drawn(n_items: int, resampling: str, share: float) -> int:
    RESAMPLINGS[resampling]
    if not 0 < share <= 1:
        raise UsageError(f"share is {share}; it must lie in (0, 1], such as 0.8.")
    return n_items if resampling == "bootstrap" else max(1, round(share * n_items))


def _is_binary(table: Array) -> bool:
    return bool(((table == 0) | (table == 1) | np.isnan(table)).all())
