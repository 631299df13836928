"""Score against cost: which systems are on the Pareto front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.discrimination.boards.draws import start_generator
from assay.statistics import Interval
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

LEVEL = 0.05
N_RESAMPLES = 1000
CHUNK = 50_000_000  # comparisons held at once
Place = Literal["on the front", "may be on the front", "not on the front", "cannot tell"]


@dataclass(frozen=True)
class SystemCost(Result):
    """Score and mean cost of a system, and whether it is on the front of systems that no other beats on both.

    `on_front` is by the point estimates, `front_share` the share of resamples in which it is on the front; `place` is
    by tests. `beaten_by` is the best system that is better and cheaper with 95% confidence, or by the estimates.
    """

    system: str = field(metadata=NAME)
    score: Interval
    cost: Interval
    on_front: bool
    front_share: float
    place: Place
    beaten_by: str | None = field(default=None, metadata=NAME)


@dataclass(frozen=True)
class CostFront(Result):
    """All systems that have a score and a cost, the cheapest first; what is resampled, and what costs are counted in."""

    systems: tuple[SystemCost, ...]
    unit: str = field(metadata=NAME)
    n_items: int | None
    sampled: str | None = field(metadata=OWN)
    n_left_out: int = 0
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_cost_front(
    systems: Sequence[str],
    scores: Array,
    costs: Array,
    *,
    groups: Array | None = None,
    lower_is_better: bool = False,
    unit: str = "cost",
    random_state: int = 0,
) -> CostFront:
    """Find the systems that no other system beats on score and cost (systems × items, or one number per system).

    Items (whole groups if there are groups) are bootstrapped for intervals and `front_share`. A system is *not on
    the front* if a rival is better and cheaper by paired t tests at 0.05 / (rivals), both; it is *on the front*
    if against every rival it is better or cheaper, each at 0.025. So each of the two statements is wrong for at
    most 5% of systems. Single numbers per system allow no test.

    >>> front = measure_cost_front(["a", "b", "c"], np.array([90.0, 80, 70]), np.array([3.0, 1, 2]))
    >>> [(row.system, row.on_front, row.beaten_by) for row in front.systems]
    [('b', True, None), ('c', False, 'b'), ('a', True, None)]
    """
    values, prices = np.asarray(scores, dtype=float), np.asarray(costs, dtype=float)
    if values.shape != prices.shape or len(values) != len(systems):
        raise UsageError(f"have shape {prices.shape}, the scores {values.shape}.", option="costs")
    sign = -1.0 if lower_is_better else 1.0
    if values.ndim == 1:
        return _place_points(systems, values, prices, sign, unit)
    known = np.isfinite(values) & np.isfinite(prices)
    kept = [int(row) for row in np.flatnonzero(known.sum(axis=1) > 1)]
    sampled = "items" if groups is None else "groups"
    if not kept:
        reason = "no system has two items with a score and a cost"
        return CostFront((), unit, values.shape[1], sampled, len(systems), reason)
    names = [systems[row] for row in kept]
    values, prices, known = values[kept], prices[kept], known[kept]
    codes = np.arange(values.shape[1]) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    sums = [_sum_groups(np.where(known, table, 0.0), codes) for table in (values, prices, known.astype(float))]
    score, cost = sums[0].sum(axis=1) / sums[2].sum(axis=1), sums[1].sum(axis=1) / sums[2].sum(axis=1)
    draws = _resample(sums, random_state)
    shares = _share_on_front(sign * draws[0], draws[1])
    p_score = _test_pairs(sign * values, known, codes)
    p_cost = _test_pairs(-prices, known, codes)
    ends = [np.percentile(table, [2.5, 97.5], axis=0) for table in draws]
    front = _find_front((sign * score)[None], cost[None])[0]
    rows = []
    for i, name in enumerate(names):
        place, rival = _judge(i, p_score, p_cost)
        beaten = rival if rival is not None else _find_rival(i, sign * score, cost)
        row = SystemCost(
            system=name,
            score=Interval(float(score[i]), float(ends[0][0, i]), float(ends[0][1, i])),
            cost=Interval(float(cost[i]), float(ends[1][0, i]), float(ends[1][1, i])),
            on_front=bool(front[i]),
            front_share=float(shares[i]),
            place=place,
            beaten_by=None if beaten is None else names[beaten],
        )
        rows.append(row)
    rows.sort(key=lambda row: (row.cost.value, -sign * row.score.value))
    return CostFront(tuple(rows), unit, values.shape[1], sampled, len(systems) - len(kept))


def _place_points(systems: Sequence[str], scores: Array, costs: Array, sign: float, unit: str) -> CostFront:
    kept = [int(row) for row in np.flatnonzero(np.isfinite(scores) & np.isfinite(costs))]
    score, cost = scores[kept], costs[kept]
    front = _find_front((sign * score)[None], cost[None])[0] if len(kept) else np.zeros(0, dtype=bool)
    rows = []
    for i, row in enumerate(kept):
        rival = _find_rival(i, sign * score, cost)
        numbers = (Interval(float(score[i]), math.nan, math.nan), Interval(float(cost[i]), math.nan, math.nan))
        beaten_by = None if rival is None else systems[kept[rival]]
        rows.append(SystemCost(systems[row], *numbers, bool(front[i]), math.nan, "cannot tell", beaten_by))
    rows.sort(key=lambda entry: (entry.cost.value, -sign * entry.score.value))
    reason = "one score and one cost per system allow no test"
    return CostFront(tuple(rows), unit, None, None, len(systems) - len(kept), reason)


def _sum_groups(table: Array, codes: Array) -> Array:
    """Return the sums of every row within the groups of columns."""
    return np.stack([np.bincount(codes, weights=row) for row in table])


def _resample(sums: list[Array], random_state: int) -> tuple[Array, Array]:
    """Return bootstrapped scores and costs, resamples × systems."""
    m = sums[0].shape[1]
    generator = start_generator(random_state)
    weights = generator.multinomial(m, np.full(m, 1 / m), size=N_RESAMPLES).astype(float)
    counts = np.maximum(weights @ sums[2].T, 1e-9)
    return weights @ sums[0].T / counts, weights @ sums[1].T / counts


def _find_front(scores: Array, costs: Array) -> Array:
    """Tell, in every row, which systems no other beats: at least as good and as cheap, and better or cheaper."""
    better = scores[:, None, :] >= scores[:, :, None]
    cheaper = costs[:, None, :] <= costs[:, :, None]
    strictly = (scores[:, None, :] > scores[:, :, None]) | (costs[:, None, :] < costs[:, :, None])
    return np.asarray(~(better & cheaper & strictly).any(axis=2))


def _share_on_front(scores: Array, costs: Array) -> Array:
    size = max(1, CHUNK // max(1, scores.shape[1] ** 2))
    parts = [_find_front(scores[at : at + size], costs[at : at + size]) for at in range(0, len(scores), size)]
    return np.asarray(np.concatenate(parts).mean(axis=0))


def _test_pairs(values: Array, known: Array, codes: Array) -> Array:
    """Return one-sided p-values that the row's system has a larger mean than the column's, paired over groups."""
    from scipy.stats import t

    k = len(values)
    p = np.full((k, k), 0.5)
    for i in range(k):
        for j in range(i + 1, k):
            both = known[i] & known[j]
            gaps = values[i, both] - values[j, both]
            if len(gaps) < 2:
                continue
            sums = np.bincount(codes[both], weights=gaps - gaps.mean())
            m = len(np.unique(codes[both]))
            error = math.sqrt(float((sums**2).sum()) * m / max(m - 1, 1)) / len(gaps)
            if error > 0:
                p[i, j] = float(t.sf(gaps.mean() / error, max(m - 1, 1)))
                p[j, i] = 1 - p[i, j]
            elif gaps.mean() != 0:
                p[i, j], p[j, i] = (0.0, 1.0) if gaps.mean() > 0 else (1.0, 0.0)
    return p


def _judge(i: int, p_score: Array, p_cost: Array) -> tuple[Place, int | None]:
    """Return the place of a system, and the rival that beats it on both if there is one."""
    rivals = np.array([j for j in range(len(p_score)) if j != i], dtype=int)
    if not len(rivals):
        return "on the front", None
    worse = np.maximum(p_score[rivals, i], p_cost[rivals, i])
    if worse.min() < LEVEL / len(rivals):
        return "not on the front", int(rivals[worse.argmin()])
    safe = np.minimum(p_score[i, rivals], p_cost[i, rivals]) < LEVEL / 2
    return ("on the front" if safe.all() else "may be on the front"), None


def _find_rival(i: int, score: Array, cost: Array) -> int | None:
    """Return the best system that is at least as good and as cheap, and better or cheaper."""
    beats = (score >= score[i]) & (cost <= cost[i]) & ((score > score[i]) | (cost < cost[i]))
    return int(np.flatnonzero(beats)[score[beats].argmax()]) if beats.any() else None
