"""The rows of the datasets table: λ with interval, verdict, saturation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.hit_rate import HitRate, hit_rate
from assay.discrimination.measurement import Measurement
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.performance_variance import deviation, performance_variance
from assay.discrimination.saturation import saturation
from assay.discrimination.scaled_variance import scaled_variance
from assay.discrimination.spread import over_sums
from assay.discrimination.verdict import LAMBDA_SVA, LAMBDA_VAR, together, verdict
from assay.statistics import Interval

NO_ITEMS = "needs the outcomes of items"


def score_row(
    top: Measurement, everyone: Measurement, n_resamples: int = 1000, random_state: int = 0
) -> dict[str, Any]:
    """Measure one dataset from the scores of its top systems; the saturation is that of all systems."""
    n_items = None if top.n_items is None or not np.isfinite(top.n_items).all() else top.n_items
    options: dict[str, Any] = {"n_items": n_items, "n_resamples": n_resamples, "random_state": random_state}
    var = performance_variance(top.scores, **options)
    sva = scaled_variance(_upwards(top), _bound(top), **options) if _upwards(top) is not None else None
    first = Interval(var.lambda_var, var.low, var.high, method=var.method)
    second = Interval(math.nan if sva is None else sva.lambda_sva, *_ends(sva))
    return _row(top, everyone, first, second, None, var.reason)


def outcome_row(
    outcomes: Outcomes, top: Measurement, everyone: Measurement, options: dict[str, Any], groups: Any
) -> dict[str, Any]:
    """Measure one dataset from what its top systems did on every item, with intervals over the items."""
    chosen = outcomes.take(top.systems)
    sums, value = chosen.parts()
    units = groups if groups is not None else outcomes.groups if outcomes.over_groups else None
    resamples, seed = options["n_resamples"], options["random_state"]
    sign, bound = (-1.0 if top.lower_is_better else 1.0), top.upper
    reason = _too_few(top)
    if reason:
        nothing = Interval(math.nan, math.nan, math.nan)
        return _row(top, everyone, nothing, nothing, None, reason)

    def scaled(rows: Array) -> Array:
        return np.asarray(deviation(rows) * sign * (bound - rows.mean(axis=1)))

    var = over_sums(sums, value, deviation, chosen.scale, resamples, seed, units)
    sva = over_sums(sums, value, scaled, chosen.scale, resamples, seed, units)
    hit = _hits(chosen, options, units)
    return _row(top, everyone, var, sva, hit, None)


def _hits(chosen: Outcomes, options: dict[str, Any], units: Any) -> HitRate:
    common: dict[str, Any] = {name: options[name] for name in ("resampling", "share", "random_state")}
    common |= {"interval": True, "groups": units}
    if chosen.sums is None:
        return hit_rate(chosen.table, **common)
    sign, value = (-1.0 if chosen.lower_is_better else 1.0), chosen.value
    assert value is not None

    def better(sums: Array) -> Array:
        return np.asarray(sign * np.asarray(value(sums)))

    return hit_rate(chosen.table, statistics=chosen.sums, metric=better, **common)


def _row(
    top: Measurement, everyone: Measurement, var: Interval, sva: Interval, hit: HitRate | None, reason: str | None
) -> dict[str, Any]:
    over = _exceeds(top)
    if over:
        sva, reason = Interval(math.nan, math.nan, math.nan), "; ".join(filter(None, [reason, over]))
    verdicts = verdict(*_three(var), LAMBDA_VAR), verdict(*_three(sva), LAMBDA_SVA)
    used_up = saturation(everyone.scores, top.upper, lower_is_better=top.lower_is_better)
    values = {"lambda_var": _three(var), "lambda_sva": _three(sva), "lambda_hit": _three_hits(hit)}
    lambdas = {name + end: number for name, three in values.items() for end, number in zip(_ENDS, three, strict=True)}
    return {
        "benchmark": top.benchmark,
        "dataset": top.dataset,
        "metric": top.metric,
        "n_systems": len(top.systems),
        "n_items": _n_items(top),
        "mean": float(top.scores.mean()) if len(top.scores) else math.nan,
        "upper": top.upper,
        **lambdas,
        "verdict": together(*verdicts, has_sva=math.isfinite(sva.value)),
        "verdict_var": verdicts[0],
        "verdict_sva": verdicts[1],
        "verdict_basis": "interval" if math.isfinite(var.low) else "point estimate",
        "reason": reason,
        "headroom": used_up.headroom,
        "top_range": used_up.top_range,
        "compression": used_up.compression,
        "n_within_one": used_up.n_within_one,
    }


_ENDS = ("", "_low", "_high")


def _three(interval: Interval) -> tuple[float, float, float]:
    return interval.value, interval.low, interval.high


def _three_hits(hit: HitRate | None) -> tuple[float, float, float]:
    return (math.nan, math.nan, math.nan) if hit is None else (hit.lambda_hit, hit.low, hit.high)


def _ends(found: Any) -> tuple[float, float]:
    return (math.nan, math.nan) if found is None else (found.low, found.high)


def _upwards(top: Measurement) -> Any:
    # Turning errors round their best value leaves the deviation alone and makes the room above the mean positive.
    return 2 * top.upper - top.scores if top.lower_is_better else top.scores


def _bound(top: Measurement) -> float:
    return top.upper


def _exceeds(top: Measurement) -> str | None:
    beyond = (top.scores < top.upper) if top.lower_is_better else (top.scores > top.upper)
    if not beyond.any():
        return None
    return f"λ_sva undefined: {int(beyond.sum())} scores lie beyond the best possible value {top.upper:g}; set --upper"


def _too_few(top: Measurement) -> str | None:
    return f"{len(top.systems)} scores; at least 2 systems are needed" if len(top.systems) < 2 else None


def _n_items(top: Measurement) -> int | None:
    if top.n_items is None or not np.isfinite(top.n_items).any():
        return None
    return int(np.nanmax(top.n_items))
