"""The discrimination of one dataset: λ with intervals, verdict, saturation and redundancy."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.lambdas.hit_rate import HitRate, measure_hit_rate
from assay.discrimination.lambdas.performance_variance import measure_performance_variance, use_deviation
from assay.discrimination.lambdas.scaled_variance import measure_scaled_variance
from assay.discrimination.lambdas.spread_intervals import (
    BOOTSTRAP,
    draw_noise,
    invert_test,
    simulate_noise,
    skip_interval,
)
from assay.discrimination.lambdas.verdicts import (
    CANNOT_TELL,
    MIN_LAMBDA_SVA,
    MIN_LAMBDA_VAR,
    compare_with_reference,
    compute_equality_p,
    judge_dataset,
)
from assay.discrimination.measurements import Measurement
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.saturation import measure_saturation
from assay.discrimination.settings import DiscriminationSettings
from assay.statistics import Interval
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

Action = Literal["keep", "repair", "retire"]


@dataclass(frozen=True)
class DatasetDiscrimination(Result):
    """One (benchmark, dataset, metric): λ_var, λ_sva and λ_hit with intervals, verdict, saturation and redundancy.

    `verdict` says whether the items tell the systems apart, by the test of equal systems `p_equal`; `verdict_var` and
    `verdict_sva` say on which side of the reference values of Xiao et al. (2022) λ is. `lambda_hit_null` is the hit
    rate of equal systems. `headroom` is the distance of the best score to `upper`, `n_within_one` counts the systems
    within one point of it; `redundancy` is the R² of a prediction from the other datasets. `proposal` says what to do
    with the dataset: keep, repair or retire it, and `proposal_reason` why.
    """

    benchmark: str = field(metadata=NAME)
    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    n_systems: int
    n_items: int | None
    mean: float
    upper: float
    lambda_var: Interval
    lambda_sva: Interval
    lambda_hit: Interval
    verdict: str = field(metadata=OWN)
    verdict_var: str = field(metadata=OWN)
    verdict_sva: str = field(metadata=OWN)
    verdict_basis: str = field(metadata=OWN)
    reason: str | None = field(metadata=OWN)
    headroom: float
    top_range: float
    compression: float
    n_within_one: int
    redundancy: float = math.nan
    nearest: str | None = field(default=None, metadata=NAME)
    nearest_correlation: float = math.nan
    lambda_hit_null: float = math.nan
    p_equal: float = math.nan
    lower_is_better: bool = False
    scale: str = field(default="percent", metadata=OWN)
    proposal: Action | None = None
    proposal_reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_scores(
    top: Measurement, all_systems: Measurement, settings: DiscriminationSettings
) -> DatasetDiscrimination:
    """Measure one dataset from the scores of its top systems; the saturation is measured on all systems."""
    n_items = None if top.n_items is None or not np.isfinite(top.n_items).all() else top.n_items
    options: dict[str, Any] = {
        "n_items": n_items,
        "n_resamples": settings.n_resamples,
        "random_state": settings.random_state,
    }
    var = measure_performance_variance(top.scores, **options)
    # Reflecting errors at their best value leaves the deviation alone and makes the headroom of the mean positive.
    upwards = 2 * top.upper - top.scores if top.lower_is_better else top.scores
    sva = measure_scaled_variance(upwards, top.upper, **options)
    return _summarise(
        top,
        all_systems,
        Interval(var.lambda_var, var.low, var.high),
        Interval(sva.lambda_sva, sva.low, sva.high),
        None,
        var.reason,
        _test_scores(top, n_items, settings),
    )


def _test_scores(top: Measurement, n_items: Any, settings: DiscriminationSettings) -> float:
    if n_items is None or not top.is_percent:
        return math.nan
    noise = simulate_noise(top.scores, n_items, 100.0, settings.n_resamples, settings.random_state)
    return math.nan if noise is None else compute_equality_p(top.scores, noise)


@use_one_thread()
def measure_outcomes(
    outcomes: Outcomes, top: Measurement, all_systems: Measurement, settings: DiscriminationSettings
) -> DatasetDiscrimination:
    """Measure one dataset from the outcomes of its top systems on every item, with intervals over the items."""
    if len(top.systems) < 2:
        undefined = skip_interval(math.nan)
        reason = f"{len(top.systems)} scores; at least 2 systems are needed"
        return _summarise(top, all_systems, undefined, undefined, None, reason)
    chosen = outcomes.take(top.systems)
    units = outcomes.choose_units(settings.clustered)
    sign = -1.0 if top.lower_is_better else 1.0

    def scale_deviation(deviation: Array, mean: Array) -> Array:
        return deviation * sign * (top.upper - mean)

    scores, noise = draw_noise(
        *chosen.metric_parts(), outcomes.scale, settings.n_resamples, settings.random_state, units
    )
    var = invert_test(scores, noise, use_deviation, BOOTSTRAP)
    has_upper = math.isfinite(top.upper)
    sva = invert_test(scores, noise, scale_deviation, BOOTSTRAP) if has_upper else skip_interval(math.nan)
    hits = _measure_hits(chosen, settings, units)
    return _summarise(top, all_systems, var, sva, hits, None, compute_equality_p(scores, noise))


def _measure_hits(chosen: Outcomes, settings: DiscriminationSettings, units: Any) -> HitRate:
    options: dict[str, Any] = {
        "resampling": settings.resampling,
        "share": settings.share,
        "random_state": settings.random_state,
        "interval": True,
        "groups": units,
    }
    metric = chosen.value
    if chosen.sums is None or metric is None:
        return measure_hit_rate(chosen.table, **options)
    sign = -1.0 if chosen.lower_is_better else 1.0

    def signed_metric(sums: Array) -> Array:
        return np.asarray(sign * np.asarray(metric(sums)))

    return measure_hit_rate(chosen.table, statistics=chosen.sums, metric=signed_metric, **options)


def _summarise(
    top: Measurement,
    all_systems: Measurement,
    var: Interval,
    sva: Interval,
    hit: HitRate | None,
    reason: str | None,
    p_equal: float = math.nan,
) -> DatasetDiscrimination:
    undefined = _explain_undefined_sva(top)
    if undefined:
        sva, reason = skip_interval(math.nan), "; ".join(filter(None, [reason, undefined]))
    verdict_var, verdict_sva = CANNOT_TELL, CANNOT_TELL
    if top.is_percent:
        verdict_var = compare_with_reference(var.value, var.low, var.high, MIN_LAMBDA_VAR)
        verdict_sva = compare_with_reference(sva.value, sva.low, sva.high, MIN_LAMBDA_SVA)
    saturation = measure_saturation(all_systems.scores, top.upper, lower_is_better=top.lower_is_better)
    return DatasetDiscrimination(
        benchmark=top.benchmark,
        dataset=top.dataset,
        metric=top.metric,
        n_systems=len(top.systems),
        n_items=_count_items(top),
        mean=float(top.scores.mean()) if len(top.scores) else math.nan,
        upper=top.upper,
        lambda_var=var,
        lambda_sva=sva,
        lambda_hit=skip_interval(math.nan) if hit is None else Interval(hit.lambda_hit, hit.low, hit.high),
        verdict=judge_dataset(p_equal, top.scores, has_items=hit is not None),
        verdict_var=verdict_var,
        verdict_sva=verdict_sva,
        verdict_basis="interval" if math.isfinite(var.low) else "point estimate",
        reason=reason,
        headroom=saturation.headroom,
        top_range=saturation.top_range,
        compression=saturation.compression,
        n_within_one=saturation.n_within_one,
        lambda_hit_null=math.nan if hit is None else hit.null,
        p_equal=p_equal,
        lower_is_better=top.lower_is_better,
        scale="percent" if top.is_percent else "other",
    )


def _explain_undefined_sva(top: Measurement) -> str | None:
    if not math.isfinite(top.upper):
        return "λ_sva and headroom undefined: no best possible score is known"
    beyond = (top.scores < top.upper) if top.lower_is_better else (top.scores > top.upper)
    if not beyond.any():
        return None
    n_beyond = int(beyond.sum())
    return f"λ_sva undefined: {n_beyond} scores are beyond the best possible value {top.upper:g}; give another one"


def _count_items(top: Measurement) -> int | None:
    if top.n_items is None or not np.isfinite(top.n_items).any():
        return None
    return int(np.nanmax(top.n_items))
