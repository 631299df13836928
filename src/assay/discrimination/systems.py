"""The rows of the systems table: ranks over datasets, items, or both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.discrimination.critical_difference import CriticalDifference, critical_difference
from assay.discrimination.measurement import Measurement, score_table
from assay.discrimination.ranks import Ranks, ranks
from assay.discrimination.stability import Stability, stability_of_first

if TYPE_CHECKING:
    from assay.discrimination.discriminate import Demands
    from assay.discrimination.outcomes import Outcomes


@dataclass(frozen=True)
class Ranked:
    """Systems from the best down, and what the ranking rests on."""

    rows: list[dict[str, Any]]
    left_out: int
    reason: str | None
    over: str | None
    diagram: dict[str, Any] | None = None
    stability: dict[str, Any] | None = None


def score_systems(benchmark: str, measurements: list[Measurement], asked: Demands) -> Ranked:
    """Rank the systems that have all measurements, over datasets (metrics of one dataset are averaged first)."""
    if asked.over not in (None, "datasets"):
        raise UsageError(f"--over {asked.over} needs the outcomes of items; a score table has only datasets.")
    systems, table = score_table(measurements)
    names, columns = _by_dataset(table, measurements)
    whole: Array = np.asarray(np.isfinite(columns).all(axis=1))
    left_out = int((~whole).sum())
    if whole.sum() < 1:
        return Ranked([], left_out, f"no system has all {len(names)} datasets of {benchmark}", None)
    chosen = [name for name, there in zip(systems, whole, strict=True) if there]
    found = ranks(columns[whole], over="datasets", aggregate=asked.aggregate, random_state=asked.random_state)
    turned = all(one.lower_is_better for one in measurements) and asked.aggregate == "mean"
    rows = _rows(benchmark, chosen, found, -1.0 if turned else 1.0)
    return Ranked(rows, left_out, found.reason, "datasets", _diagram(columns[whole], chosen))


def item_systems(benchmark: str, outcomes: list[Outcomes], asked: Demands) -> Ranked:
    """Rank the systems that answered every item of a benchmark, over its items, its datasets or both."""
    outcomes = list({other.dataset: other for other in reversed(outcomes)}.values())[::-1]  # a dataset's first metric
    one = outcomes[0]
    if one.sums is not None:
        return _by_metric(benchmark, one, asked)
    over = asked.over or ("items" if len(outcomes) == 1 else "both")
    systems = [name for name in one.systems if all(name in other.systems for other in outcomes)]
    tables = [other.take(tuple(systems)).table * other.scale for other in outcomes]
    signs = [-1.0 if other.lower_is_better else 1.0 for other in outcomes]
    table = np.concatenate([sign * part for sign, part in zip(signs, tables, strict=True)], axis=1)
    present = np.isfinite(table)
    whole, kept = _common(present)
    datasets = np.repeat(np.arange(len(tables)), [part.shape[1] for part in tables])[kept]
    groups = _all_groups(outcomes)[kept] if asked.clustered and all(o.groups is not None for o in outcomes) else None
    full = table[np.ix_(whole, kept)]
    chosen = [systems[row] for row in np.flatnonzero(whole)]
    if len(chosen) < 1 or not full.shape[1]:
        return Ranked([], len(systems), "no system answered all items", None)
    options: dict[str, Any] = {"aggregate": asked.aggregate, "random_state": asked.random_state}
    found = ranks(full, over=over, datasets=datasets, groups=groups, **options)
    sign = -1.0 if all(s < 0 for s in signs) and asked.aggregate == "mean" else 1.0
    half = _stability(stability_of_first(full, groups, random_state=asked.random_state), chosen)
    left = len(systems) - len(chosen)
    said = f"ranked on the {int(kept.sum())} of {len(kept)} items all of them answered" if not kept.all() else None
    return Ranked(_rows(benchmark, chosen, found, sign), left, found.reason or said, over, None, half)


def _common(present: Array) -> tuple[Array, Array]:
    """Choose systems and items without a gap: systems with hardly any answers go, then items not all answered."""
    whole = present.mean(axis=1) >= 0.5 if present.size else np.zeros(len(present), dtype=bool)
    kept = present[whole].all(axis=0) if whole.any() else np.zeros(present.shape[1], dtype=bool)
    return whole, kept


def _all_groups(outcomes: list[Outcomes]) -> Array:
    names = [
        f"{number}:{group}"
        for number, one in enumerate(outcomes)
        for group in (one.groups if one.groups is not None else [])
    ]
    return np.array(names, dtype=object).astype(str)


def _by_metric(benchmark: str, one: Outcomes, asked: Demands) -> Ranked:
    """Rank by a metric that is no mean: jackknife pseudo-values of the items stand for their outcomes."""
    sums, value = one.parts()
    units = one.groups if one.over_groups or asked.clustered else None
    if units is not None:
        codes = np.unique(np.asarray(units), return_inverse=True)[1]
        added = np.zeros((len(sums), int(codes.max()) + 1, sums.shape[2]))
        np.add.at(added.transpose(1, 0, 2), codes, sums.transpose(1, 0, 2))
        sums = added
    whole = sums.sum(axis=1)
    sign = -1.0 if one.lower_is_better else 1.0
    full = np.asarray(value(whole[None]))[0]
    n = sums.shape[1]
    left_out = np.asarray(value((whole[:, None, :] - sums).transpose(1, 0, 2))).T
    pseudo = sign * one.scale * (n * full[:, None] - (n - 1) * left_out)
    pseudo += (sign * one.scale * full - pseudo.mean(axis=1))[:, None]  # the score itself, without the jackknife's bias
    if not np.isfinite(pseudo).all():
        return Ranked([], len(one.systems), f"{one.metric} is undefined for some system", None)
    found = ranks(pseudo, aggregate=asked.aggregate, random_state=asked.random_state)
    return Ranked(_rows(benchmark, list(one.systems), found, sign), 0, found.reason, "items")


def _by_dataset(table: Array, measurements: list[Measurement]) -> tuple[list[str], Array]:
    names = list(dict.fromkeys(one.dataset for one in measurements))
    where = np.array([names.index(one.dataset) for one in measurements])
    return names, np.stack([table[:, where == number].mean(axis=1) for number in range(len(names))], axis=1)


def _rows(benchmark: str, systems: list[str], found: Ranks, sign: float = 1.0) -> list[dict[str, Any]]:
    order = np.argsort(-found.score, kind="stable")
    return [
        {
            "benchmark": benchmark,
            "system": systems[row],
            "score": sign * float(found.score[row]),
            "rank": int(found.rank[row]),
            "rank_low": _whole(found.rank_low[row]),
            "rank_high": _whole(found.rank_high[row]),
            "tie_group": _whole(found.tie_group[row]),
            "first_band": _whole(found.first_band[row]),
            "last_band": _whole(found.last_band[row]),
            "p_best": float(found.p_best[row]),
            "standard_error": float(found.standard_error[row]),
        }
        for row in order
    ]


def _whole(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None


def _diagram(columns: Array, systems: list[str]) -> dict[str, Any] | None:
    if len(systems) > 200:
        return None
    found: CriticalDifference = critical_difference(columns)
    return {
        "p_friedman": found.p_friedman,
        "critical_difference": found.critical_difference,
        "mean_ranks": dict(zip(systems, found.mean_ranks.tolist(), strict=True)),
        "cliques": [[systems[row] for row in clique] for clique in found.cliques],
        "n_datasets": found.n_datasets,
        "reason": found.reason,
    }


def _stability(found: Stability, systems: list[str]) -> dict[str, Any]:
    return {
        "system": systems[found.first],
        "share_first": found.share_first,
        "also_first": {systems[row]: share for row, share in found.also_first.items()},
        "kendall_between_halves": found.kendall,
        "n_halves": found.n_halves,
        "reason": found.reason,
    }
