"""The ranks of the systems of one benchmark: over datasets, items, or both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError, join_names
from assay.base.marks import NAME
from assay.discrimination.measurements import Measurement, share_one_scale, tabulate_by_name
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.ranks.aggregation import AGGREGATIONS, compute_win_rates
from assay.discrimination.ranks.critical_difference import CriticalDifference, compare_mean_ranks
from assay.discrimination.ranks.deviations import average_own
from assay.discrimination.ranks.ranking import Ranking, rank_systems
from assay.discrimination.ranks.shared_units import (
    MIN_SHARED_DATASETS,
    PairTable,
    choose_comparable,
    compare_on_shared,
    count_needed,
)
from assay.discrimination.ranks.stability import FirstPlaceStability, measure_stability
from assay.discrimination.settings import DiscriminationSettings
from assay.views.results import Result
from assay.wording.sentences import choose_verb, count_noun

MAX_DIAGRAM_SYSTEMS = 200


@dataclass(frozen=True)
class SystemRank(Result):
    """One system of a benchmark: score, rank, rank intervals, tie group, bands and probability of being best.

    The score is that on the items or datasets of the system, of which there are `n_units`. `rank_low` to `rank_high`
    hold simultaneously for all systems, `marginal_low` to `marginal_high` for each rival on its own.
    """

    benchmark: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    score: float
    rank: int
    rank_low: int | None
    rank_high: int | None
    tie_group: int | None
    first_band: int | None
    last_band: int | None
    p_best: float
    standard_error: float
    marginal_low: int | None = None
    marginal_high: int | None = None
    n_units: int | None = None


@dataclass(frozen=True)
class UnrankedSystem(Result):
    """A system that shares too few items or datasets with the others to be ranked.

    `n_shared` counts those that it shares with the first ranked system, to which it has the difference `gap` there.
    """

    benchmark: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    score: float
    n_units: int
    n_shared: int
    gap: float


@dataclass(frozen=True)
class BenchmarkRanking:
    """The systems of one benchmark from the best down; `over` is the sampled unit, None if nothing was ranked.

    `ranked_by` names the score: a metric, the mean of several, or the win rate.
    """

    systems: tuple[SystemRank, ...]
    unranked: tuple[UnrankedSystem, ...]
    reason: str | None
    over: str | None
    diagram: CriticalDifference | None = None
    stability: FirstPlaceStability | None = None
    ranked_by: str | None = None
    has_gaps: bool = False  # systems have different items or datasets, and pairs are compared on those they share


def rank_by_scores(
    benchmark: str, measurements: Sequence[Measurement], settings: DiscriminationSettings
) -> BenchmarkRanking:
    """Rank the systems over datasets (metrics of one dataset are averaged first).

    Systems with different datasets are compared pair by pair, on those that both have. The sampling error of a score
    counts if the number of its items is known; without it, fewer than four datasets have no rank intervals.
    """
    if settings.over not in (None, "datasets"):
        raise UsageError(
            f"'{settings.over}' needs the outcomes of items; a score table has only datasets.", option="over"
        )
    metrics = [entry.metric for entry in measurements]
    measurements, systems, table = tabulate_by_name(measurements)
    by_wins = settings.aggregate == "mean" and not share_one_scale(measurements)
    errors = None if by_wins or settings.aggregate != "mean" else _tabulate_errors(measurements, systems)
    if by_wins:
        table = 100 * compute_win_rates(table)
    datasets, columns = _average_metrics(table, measurements)
    score_errors = None if errors is None else _average_errors(errors, measurements)
    all_lower = all(measurement.lower_is_better for measurement in measurements)
    plan = _Plan(
        benchmark,
        "datasets",
        settings,
        settings.aggregate,
        name_score(metrics, "win-rate" if by_wins else settings.aggregate),
        -1.0 if all_lower and settings.aggregate == "mean" and not by_wins else 1.0,
    )
    ranked = _rank_table(plan, systems, columns, np.arange(len(datasets)), score_errors=score_errors)
    if len(datasets) < MIN_SHARED_DATASETS and score_errors is None and len(ranked.systems) > 1:
        reason = (
            f"{count_noun(len(datasets), 'dataset')} {choose_verb(len(datasets), 'is', 'are')} too few to tell which "
            f"differences are chance; rank intervals need {MIN_SHARED_DATASETS} datasets, or the number of items of "
            "each score (a column n_items)"
        )
        ranked = replace(ranked, systems=tuple(map(_drop_interval, ranked.systems)), reason=reason)
    is_full = not ranked.has_gaps and bool(np.isfinite(columns).all())
    if not is_full or not 1 < len(ranked.systems) <= MAX_DIAGRAM_SYSTEMS:
        return ranked
    return replace(ranked, diagram=compare_mean_ranks(columns, systems=systems))


@dataclass(frozen=True)
class _Plan:
    """The systems to rank, the units and the score; `sign` is −1 if lower scores are better."""

    benchmark: str
    over: str
    settings: DiscriminationSettings
    aggregate: str
    ranked_by: str
    sign: float = 1.0


def _rank_table(
    plan: _Plan,
    systems: Sequence[str],
    table: Array,
    codes: Array,
    *,
    groups: Array | None = None,
    score_errors: Array | None = None,
) -> BenchmarkRanking:
    """Rank the systems of a table (systems × units, nan = missing) that share enough units with the others."""
    present = np.isfinite(table)
    run: Array = np.asarray(present.any(axis=1))
    if not run.any():
        return BenchmarkRanking((), (), "no system has a score", None)
    has_gaps = not present[run].all()
    kept = run.copy()
    if has_gaps:
        pairs = compare_on_shared(AGGREGATIONS[plan.aggregate](table), codes, plan.over, groups, None)
        kept[run] = choose_comparable(pairs.n_units[np.ix_(run, run)], count_needed(plan.over, codes))
    names = [name for name, is_kept in zip(systems, kept, strict=True) if is_kept]
    ranking = rank_systems(
        table[kept],
        systems=names,
        over=plan.over,
        datasets=codes,
        groups=groups,
        score_errors=None if score_errors is None else score_errors[kept],
        aggregate=plan.aggregate,
        random_state=plan.settings.random_state,
    )
    rows = _list_ranks(plan.benchmark, ranking, plan.sign)
    unranked = tuple(_list_unranked(plan, systems, table, codes, pairs, kept, rows[0].system)) if has_gaps else ()
    reason = ranking.reason
    if reason is None and has_gaps:
        unit = "datasets" if plan.over == "datasets" else "items"
        n_shared = pairs.n_items[np.ix_(kept, kept)][np.triu_indices(len(names), 1)]
        counts = f" ({int(n_shared.min()):,} to {int(n_shared.max()):,})" if len(n_shared) else ""
        reason = f"systems have different {unit}: each pair is compared on the {unit} that both have{counts}"
    return BenchmarkRanking(rows, unranked, reason, plan.over, ranked_by=plan.ranked_by, has_gaps=has_gaps)


def _list_unranked(
    plan: _Plan,
    systems: Sequence[str],
    table: Array,
    codes: Array,
    pairs: PairTable,
    kept: Array,
    first: str,
) -> Iterator[UnrankedSystem]:
    scores = average_own(AGGREGATIONS[plan.aggregate](table), codes)[0]
    place = list(systems).index(first)
    for row in np.flatnonzero(~kept).tolist():
        n_units = int(np.isfinite(table[row]).sum())
        gap = plan.sign * float(pairs.gaps[row, place])
        n_shared = int(pairs.n_items[row, place])
        yield UnrankedSystem(plan.benchmark, systems[row], plan.sign * float(scores[row]), n_units, n_shared, gap)


def _drop_interval(row: SystemRank) -> SystemRank:
    names = ("rank_low", "rank_high", "marginal_low", "marginal_high", "tie_group", "first_band", "last_band")
    nothing: dict[str, Any] = dict.fromkeys(names)
    return replace(row, **nothing, p_best=math.nan)


def _tabulate_errors(measurements: Sequence[Measurement], systems: Sequence[str]) -> Array | None:
    """Return the standard error of every score, systems × measurements; None if the items of some are not known.

    A percentage has the error of a share of its items, which is an upper bound for the mean of any scores from 0 to
    100; at 0 and 100 it is the error of half an item.
    """
    if not all(entry.is_percent and entry.n_items is not None for entry in measurements):
        return None
    errors = np.full((len(systems), len(measurements)), np.nan)
    rows = {system: row for row, system in enumerate(systems)}
    for column, entry in enumerate(measurements):
        assert entry.n_items is not None
        n = np.asarray(entry.n_items, dtype=float)
        share = np.clip(entry.scores / 100, 0.5 / n, 1 - 0.5 / n)
        errors[[rows[system] for system in entry.systems], column] = 100 * np.sqrt(share * (1 - share) / n)
    known = np.concatenate([np.asarray(entry.n_items) for entry in measurements])
    return errors if np.isfinite(known).all() else None


def _average_errors(errors: Array, measurements: Sequence[Measurement]) -> Array:
    """Return the error of the mean of the metrics of each dataset, as if they had the same errors."""
    return _average_metrics(errors, measurements)[1]


def name_score(metrics: Sequence[str], aggregate: str) -> str:
    """Name what systems are ranked by.

    >>> name_score(["accuracy"], "mean"), name_score(["f1", "accuracy"], "mean"), name_score(["f1", "wer"], "win-rate")
    ('accuracy', 'mean of f1 and accuracy', 'win rate over f1 and wer')
    """
    names = list(dict.fromkeys(metrics))
    shown = join_names(names, 3) if len(names) != 2 else " and ".join(names)
    if aggregate == "mean":
        return shown if len(names) == 1 else f"mean of {shown}"
    return f"{aggregate.replace('-', ' ')} over {shown}"


def rank_by_outcomes(
    benchmark: str, outcomes: Sequence[Outcomes], settings: DiscriminationSettings
) -> BenchmarkRanking:
    """Rank the systems of a benchmark over its items, its datasets or both.

    Systems that answered different items are compared pair by pair, on the items that both answered.
    """
    datasets = list({entry.dataset: entry for entry in reversed(outcomes)}.values())[::-1]  # first metric of each
    if datasets[0].sums is not None:
        return _rank_by_metric(benchmark, datasets[0], settings)
    over = settings.over or ("items" if len(datasets) == 1 else "both")
    systems = list(dict.fromkeys(name for entry in datasets for name in entry.systems))
    signs = [-1.0 if entry.lower_is_better else 1.0 for entry in datasets]
    tables = [_place_rows(entry, systems) * entry.scale for entry in datasets]
    table = np.concatenate([sign * part for sign, part in zip(signs, tables, strict=True)], axis=1)
    aggregate = settings.aggregate
    if aggregate == "mean" and not share_one_scale([entry.measure() for entry in datasets]):
        aggregate = "win-rate"  # accuracies and perplexities have no mean
    codes = np.repeat(np.arange(len(tables)), [part.shape[1] for part in tables])
    use_groups = all(entry.choose_units(settings.clustered) is not None for entry in datasets)
    groups = _join_groups(datasets) if use_groups else None
    sign = -1.0 if all(sign < 0 for sign in signs) and aggregate == "mean" else 1.0
    ranked_by = name_score([entry.metric for entry in datasets], aggregate)
    ranked = _rank_table(
        _Plan(benchmark, over, settings, aggregate, ranked_by, sign), systems, table, codes, groups=groups
    )
    if ranked.has_gaps:
        return ranked
    return replace(
        ranked, stability=measure_stability(table, groups, random_state=settings.random_state, systems=systems)
    )


def _place_rows(entry: Outcomes, systems: Sequence[str]) -> Array:
    """Return the outcomes with one row per system; those without any are missing."""
    table = np.full((len(systems), entry.table.shape[1]), np.nan)
    table[[systems.index(name) for name in entry.systems]] = entry.table
    return table


def _join_groups(outcomes: Sequence[Outcomes]) -> Array:
    names = [
        f"{number}:{group}"
        for number, entry in enumerate(outcomes)
        for group in (entry.groups if entry.groups is not None else [])
    ]
    return np.array(names, dtype=object).astype(str)


def _rank_by_metric(benchmark: str, outcomes: Outcomes, settings: DiscriminationSettings) -> BenchmarkRanking:
    """Rank by a metric that is not a mean, on the jackknife pseudo-values of its items."""
    sums, metric = outcomes.metric_parts()
    present = np.isfinite(outcomes.table)
    units = outcomes.choose_units(settings.clustered)
    if units is not None:
        codes = np.unique(np.asarray(units), return_inverse=True)[1]
        added = np.zeros((len(sums), int(codes.max()) + 1, sums.shape[2]))
        np.add.at(added.transpose(1, 0, 2), codes, sums.transpose(1, 0, 2))
        counts = np.zeros(added.shape[:2])
        np.add.at(counts.T, codes, present.T)
        sums, present = added, counts > 0
    totals = sums.sum(axis=1)
    sign = -1.0 if outcomes.lower_is_better else 1.0
    full = np.asarray(metric(totals[None]))[0]
    n = present.sum(axis=1, keepdims=True)
    without_unit = np.asarray(metric((totals[:, None, :] - sums).transpose(1, 0, 2))).T
    pseudo = sign * outcomes.scale * (n * full[:, None] - (n - 1) * without_unit)
    pseudo = np.where(present, pseudo, np.nan)
    if not (np.isfinite(pseudo) == present).all() or not np.isfinite(full).all():
        undefined = [name for name, value in zip(outcomes.systems, full, strict=True) if not np.isfinite(value)]
        who = f" for {join_names(undefined)}" if undefined else " without some of its items"
        return BenchmarkRanking((), (), f"{outcomes.metric} is undefined{who}", None)
    bias = sign * outcomes.scale * full - np.nanmean(pseudo, axis=1)  # of the jackknife
    plan = _Plan(benchmark, "items", settings, settings.aggregate, outcomes.metric, sign)
    return _rank_table(plan, outcomes.systems, pseudo + bias[:, None], np.zeros(pseudo.shape[1], dtype=np.int64))


def _average_metrics(table: Array, measurements: Sequence[Measurement]) -> tuple[list[str], Array]:
    """Return the datasets and the mean over the metrics of each, systems × datasets."""
    places: dict[str, list[int]] = {}
    for column, measurement in enumerate(measurements):
        places.setdefault(measurement.dataset, []).append(column)
    return list(places), np.stack([table[:, columns].mean(axis=1) for columns in places.values()], axis=1)


def _list_ranks(benchmark: str, ranking: Ranking, sign: float) -> tuple[SystemRank, ...]:
    return tuple(
        SystemRank(
            benchmark=benchmark,
            system=ranking.systems[row],
            score=sign * float(ranking.score[row]),
            rank=int(ranking.rank[row]),
            rank_low=_to_int(ranking.rank_low[row]),
            rank_high=_to_int(ranking.rank_high[row]),
            tie_group=_to_int(ranking.tie_group[row]),
            first_band=_to_int(ranking.first_band[row]),
            last_band=_to_int(ranking.last_band[row]),
            p_best=float(ranking.p_best[row]),
            standard_error=float(ranking.standard_error[row]),
            marginal_low=_to_int(ranking.marginal_low[row]),
            marginal_high=_to_int(ranking.marginal_high[row]),
            n_units=int(ranking.n_items[row]),
        )
        for row in np.argsort(-ranking.place, kind="stable")
    )


def _to_int(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None
