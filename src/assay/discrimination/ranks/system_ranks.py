"""The ranks of the systems of one benchmark: over datasets, items, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError, join_names
from assay.base.marks import NAME
from assay.discrimination.measurements import Measurement, share_one_scale, tabulate_by_name
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.ranks.aggregation import compute_win_rates
from assay.discrimination.ranks.critical_difference import CriticalDifference, compare_mean_ranks
from assay.discrimination.ranks.ranking import Ranking, rank_systems
from assay.discrimination.ranks.stability import FirstPlaceStability, measure_stability
from assay.discrimination.settings import DiscriminationSettings
from assay.views.results import Result

MAX_DIAGRAM_SYSTEMS = 200
MIN_ANSWERED_SHARE = 0.5  # of the items; systems with fewer answers are not ranked


@dataclass(frozen=True)
class SystemRank(Result):
    """One system of a benchmark: score, rank, rank intervals, tie group, bands and probability of being best.

    `rank_low` to `rank_high` holds simultaneously over all rivals, `marginal_low` to `marginal_high` for each alone.
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


@dataclass(frozen=True)
class BenchmarkRanking:
    """The systems of one benchmark from the best down; `over` is the sampled unit, None if nothing was ranked.

    `ranked_by` names the score: a metric, the mean of several, or the win rate.
    """

    systems: tuple[SystemRank, ...]
    n_left_out: int
    reason: str | None
    over: str | None
    diagram: CriticalDifference | None = None
    stability: FirstPlaceStability | None = None
    ranked_by: str | None = None


def rank_by_scores(
    benchmark: str, measurements: Sequence[Measurement], settings: DiscriminationSettings
) -> BenchmarkRanking:
    """Rank the systems that have all measurements, over datasets (metrics of one dataset are averaged first)."""
    if settings.over not in (None, "datasets"):
        raise UsageError(
            f"'{settings.over}' needs the outcomes of items; a score table has only datasets.", option="over"
        )
    metrics = [entry.metric for entry in measurements]
    measurements, systems, table = tabulate_by_name(measurements)
    by_wins = settings.aggregate == "mean" and not share_one_scale(measurements)
    if by_wins:
        table = _compare_complete(table)
    datasets, columns = _average_metrics(table, measurements)
    complete: Array = np.asarray(np.isfinite(columns).all(axis=1))
    n_left_out = int((~complete).sum())
    if complete.sum() < 1:
        return BenchmarkRanking((), n_left_out, f"no system has all {len(datasets)} datasets of {benchmark}", None)
    names = [name for name, is_complete in zip(systems, complete, strict=True) if is_complete]
    ranking = rank_systems(
        columns[complete],
        systems=names,
        over="datasets",
        aggregate=settings.aggregate,
        random_state=settings.random_state,
    )
    all_lower = all(measurement.lower_is_better for measurement in measurements)
    negate = all_lower and settings.aggregate == "mean" and not by_wins
    diagram = compare_mean_ranks(columns[complete], systems=names) if len(names) <= MAX_DIAGRAM_SYSTEMS else None
    rows = _list_ranks(benchmark, ranking, -1.0 if negate else 1.0)
    ranked_by = name_score(metrics, "win-rate" if by_wins else settings.aggregate)
    return BenchmarkRanking(rows, n_left_out, ranking.reason, "datasets", diagram, ranked_by=ranked_by)


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


def _compare_complete(table: Array) -> Array:
    """Return the share of other systems that each system beats, in percent, for systems with all scores."""
    complete = np.isfinite(table).all(axis=1)
    rates = np.full(table.shape, np.nan)
    rates[complete] = 100 * compute_win_rates(table[complete])
    return rates


def rank_by_outcomes(
    benchmark: str, outcomes: Sequence[Outcomes], settings: DiscriminationSettings
) -> BenchmarkRanking:
    """Rank the systems that answered every item of a benchmark, over its items, its datasets or both."""
    datasets = list({entry.dataset: entry for entry in reversed(outcomes)}.values())[::-1]  # first metric of each
    if datasets[0].sums is not None:
        return _rank_by_metric(benchmark, datasets[0], settings)
    over = settings.over or ("items" if len(datasets) == 1 else "both")
    systems = [name for name in datasets[0].systems if all(name in entry.systems for entry in datasets)]
    signs = [-1.0 if entry.lower_is_better else 1.0 for entry in datasets]
    tables = [entry.take(tuple(systems)).table * entry.scale for entry in datasets]
    table = np.concatenate([sign * part for sign, part in zip(signs, tables, strict=True)], axis=1)
    complete, answered = _find_complete(np.isfinite(table))
    full = table[np.ix_(complete, answered)]
    names = [systems[row] for row in np.flatnonzero(complete)]
    if len(names) < 1 or not full.shape[1]:
        return BenchmarkRanking((), len(systems), "no system answered all items", None)
    aggregate = settings.aggregate
    if aggregate == "mean" and not share_one_scale([entry.measure() for entry in datasets]):
        aggregate = "win-rate"  # accuracies and perplexities have no mean
    codes = np.repeat(np.arange(len(tables)), [part.shape[1] for part in tables])[answered]
    use_groups = all(entry.choose_units(settings.clustered) is not None for entry in datasets)
    groups = _join_groups(datasets)[answered] if use_groups else None
    ranking = rank_systems(
        full,
        systems=names,
        over=over,
        datasets=codes,
        groups=groups,
        aggregate=aggregate,
        random_state=settings.random_state,
    )
    negate = all(sign < 0 for sign in signs) and aggregate == "mean"
    stability = measure_stability(full, groups, random_state=settings.random_state, systems=names)
    reason = ranking.reason
    if reason is None and not answered.all():
        reason = f"ranked on the {int(answered.sum())} of {len(answered)} items all of them answered"
    rows = _list_ranks(benchmark, ranking, -1.0 if negate else 1.0)
    ranked_by = name_score([entry.metric for entry in datasets], aggregate)
    return BenchmarkRanking(rows, len(systems) - len(names), reason, over, None, stability, ranked_by)


def _find_complete(present: Array) -> tuple[Array, Array]:
    """Choose systems and items without a gap: drop systems with few answers, then items not answered by all."""
    complete = present.mean(axis=1) >= MIN_ANSWERED_SHARE if present.size else np.zeros(len(present), dtype=bool)
    answered = present[complete].all(axis=0) if complete.any() else np.zeros(present.shape[1], dtype=bool)
    return complete, answered


def _join_groups(outcomes: Sequence[Outcomes]) -> Array:
    names = [
        f"{number}:{group}"
        for number, entry in enumerate(outcomes)
        for group in (entry.groups if entry.groups is not None else [])
    ]
    return np.array(names, dtype=object).astype(str)


def _rank_by_metric(benchmark: str, outcomes: Outcomes, settings: DiscriminationSettings) -> BenchmarkRanking:
    """Rank by a metric that is no mean, on the jackknife pseudo-values of its items."""
    sums, metric = outcomes.metric_parts()
    units = outcomes.choose_units(settings.clustered)
    if units is not None:
        codes = np.unique(np.asarray(units), return_inverse=True)[1]
        added = np.zeros((len(sums), int(codes.max()) + 1, sums.shape[2]))
        np.add.at(added.transpose(1, 0, 2), codes, sums.transpose(1, 0, 2))
        sums = added
    totals = sums.sum(axis=1)
    sign = -1.0 if outcomes.lower_is_better else 1.0
    full = np.asarray(metric(totals[None]))[0]
    n = sums.shape[1]
    without_unit = np.asarray(metric((totals[:, None, :] - sums).transpose(1, 0, 2))).T
    pseudo = sign * outcomes.scale * (n * full[:, None] - (n - 1) * without_unit)
    pseudo += (sign * outcomes.scale * full - pseudo.mean(axis=1))[:, None]  # removes the bias of the jackknife
    if not np.isfinite(pseudo).all():
        return BenchmarkRanking((), len(outcomes.systems), f"{outcomes.metric} is undefined for some system", None)
    ranking = rank_systems(
        pseudo, systems=outcomes.systems, aggregate=settings.aggregate, random_state=settings.random_state
    )
    rows = _list_ranks(benchmark, ranking, sign)
    return BenchmarkRanking(rows, 0, ranking.reason, "items", ranked_by=outcomes.metric)


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
        )
        for row in np.argsort(-ranking.score, kind="stable")
    )


def _to_int(value: float) -> int | None:
    return int(value) if np.isfinite(value) else None
