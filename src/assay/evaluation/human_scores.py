"""How well metrics follow the scores that people gave to the answers of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.metrics import Metric
from assay.statistics import bootstrap_weights, percentile
from assay.statistics.weighted_correlations import (
    MAX_PAIRED_VALUES,
    correlate_rows,
    weighted_kendall,
    weighted_pearson,
    weighted_spearman,
)
from assay.views.results import Result
from assay.wording.numbers import format_interval

METHODS = ("spearman", "kendall", "pearson")
LENGTH = "length"  # words of the answer: what no metric should be worse than
WEAK_CORRELATION = 0.3
MIN_SYSTEMS = 3
MIN_GROUPS = 20
MAX_RESAMPLED = 2_000  # clusters of which the pairs of answers are compared


@dataclass(frozen=True)
class HumanCorrelation(Result):
    """The correlation of a metric with human scores.

    `level`: over all answers of all systems (answers), over the systems' answers to one item, averaged over items
    (within-items), or over the systems' means (systems). The interval resamples items, or groups if there are some,
    with all their answers; systems are not resampled. `n` counts answers, items or systems.
    """

    human: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    level: str = field(metadata=OWN)
    method: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    n: int
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class _Scores:
    """Scores of every system (rows) on every item: of a metric, or of people; nan if an answer has none.

    `sums` are the statistics of a metric per cluster, (systems, clusters, statistics).
    """

    name: str
    values: Array
    sums: Array
    metric: Metric | None = None

    def compute_means(self, weights: Array) -> Array:
        """Return the score of every system for every row of weights."""
        table = np.einsum("rc,sck->rsk", weights, self.sums, optimize=True)
        if self.metric is not None:
            return np.asarray(self.metric.compute_value(table))
        return np.divide(table[..., 0], table[..., 1], out=np.full(table.shape[:2], np.nan), where=table[..., 1] > 0)


def correlate_human_scores(
    prepared: PreparedPredictions, metrics: Sequence[Metric], names: Sequence[str] = ()
) -> list[HumanCorrelation]:
    """Correlate metrics, and the length of answers, with each column of human scores.

    `names` are the metrics that were asked for; without them all metrics of the kind of task that can be computed.
    """
    kind = prepared.kind
    columns = list(
        dict.fromkeys(name for answers in prepared.predictions.systems.values() for name in answers.human_scores or ())
    )
    if not columns:
        return []
    if kind is None or not kind.scoring.has_own_metrics:
        raise UsageError("Human scores are compared with metrics of written answers; this task has none.")
    if prepared.predictions.n_repeats > 1:
        raise UsageError("Human scores of repeated runs cannot be used: name one run of each system.", option="human")
    chosen = list(metrics) if names else [kind.scoring.find_metric(name) for name in kind.scoring.metrics]
    able = [
        metric
        for metric in chosen
        if metric.kinds and all(metric.find_lack(prepared.items[name]) is None for name in prepared.items)
    ]
    groups = prepared.groups
    clusters = np.arange(len(prepared.predictions)) if groups is None else np.unique(groups, return_inverse=True)[1]
    weights = bootstrap_weights(int(clusters.max()) + 1, prepared.settings.n_resamples, prepared.settings.random_state)
    rows: list[HumanCorrelation] = []
    for column in columns:
        human = _read_human(prepared, column)
        scores = [_score_answers(prepared, metric, human, clusters) for metric in able]
        scores.append(_measure_length(prepared, human, clusters))
        people = _Scores(column, human, _sum_values(human, clusters))
        for metric_scores in scores:
            rows += _correlate(people, metric_scores, clusters, weights, prepared.settings.confidence)
    return rows


def describe_weak_metric(
    correlations: Sequence[HumanCorrelation], metric: str, groups: Array | None = None
) -> Iterator[str]:
    """Name the human scores that a metric hardly predicts: the interval over answers is below `WEAK_CORRELATION`."""
    n_groups = MIN_GROUPS if groups is None else len(np.unique(groups))
    if correlations and n_groups < MIN_GROUPS:
        yield f"intervals of correlations with human scores resample only {n_groups} groups, so they are too narrow"
    for row in correlations:
        if (row.metric, row.level, row.method) != (metric, "answers", "spearman") or not row.high < WEAK_CORRELATION:
            continue
        yield f"{metric} hardly follows {row.human}: Spearman {format_interval(row, 'rounded:2')} over {row.n:,} answers"


def _read_human(prepared: PreparedPredictions, column: str) -> Array:
    nothing = np.full(len(prepared.predictions), np.nan)
    systems = prepared.predictions.systems
    tables = [(systems[name].human_scores or {}).get(column, nothing) for name in systems]
    present = np.stack([prepared.items[name].present for name in systems])
    return np.where(present, np.stack(tables), np.nan)


def _score_answers(prepared: PreparedPredictions, metric: Metric, human: Array, clusters: Array) -> _Scores:
    tables = [metric.collect_statistics(items) for items in prepared.items.values()]
    values = np.stack([metric.compute_value(table) for table in tables])
    known = np.isfinite(human)
    n_clusters = int(clusters.max()) + 1
    sums = np.zeros((len(tables), n_clusters, tables[0].shape[1]))
    for row, table in enumerate(tables):
        np.add.at(sums[row], clusters[known[row]], table[known[row]])
    return _Scores(metric.name, np.where(known, values, np.nan), sums, metric)


def _measure_length(prepared: PreparedPredictions, human: Array, clusters: Array) -> _Scores:
    answers = [items.written[1] for items in prepared.items.values()]
    lengths = np.array([[len(answer.split()) for answer in row] for row in answers], dtype=float)
    values = np.where(np.isfinite(human), lengths, np.nan)
    return _Scores(LENGTH, values, _sum_values(values, clusters))


def _sum_values(values: Array, clusters: Array) -> Array:
    sums = np.zeros((len(values), int(clusters.max()) + 1, 2))
    known = np.isfinite(values)
    for row in range(len(values)):
        np.add.at(sums[row, :, 0], clusters[known[row]], values[row, known[row]])
        np.add.at(sums[row, :, 1], clusters[known[row]], 1.0)
    return sums


def _correlate(
    people: _Scores, scores: _Scores, clusters: Array, weights: Array, confidence: float
) -> Iterator[HumanCorrelation]:
    levels = {
        "answers": _correlate_answers(people, scores, clusters, weights),
        "within-items": _correlate_within_items(people, scores, clusters, weights),
        "systems": _correlate_systems(people, scores, weights),
    }
    for level, results in levels.items():
        for method, (value, resampled, n, reason) in zip(METHODS, results, strict=True):
            interval = percentile(resampled, confidence, value)
            low, high = (interval.low, interval.high) if math.isfinite(value) else (math.nan, math.nan)
            yield HumanCorrelation(people.name, scores.name, level, method, value, low, high, n, reason)


_Result = tuple[float, Array, int, str | None]


def _correlate_answers(people: _Scores, scores: _Scores, clusters: Array, weights: Array) -> list[_Result]:
    known = np.isfinite(people.values) & np.isfinite(scores.values)
    x, y, codes = scores.values[known], people.values[known], np.broadcast_to(clusters, known.shape)[known]
    reason = _explain_constant(x, y)
    if reason:
        return [(math.nan, np.empty(0), len(x), reason)] * 3
    once = np.ones((1, weights.shape[1]))
    has_pairs = len(x) <= MAX_PAIRED_VALUES and weights.shape[1] <= MAX_RESAMPLED
    rows: list[_Result] = []
    for method in METHODS:
        if method != "kendall":
            correlate = weighted_spearman if method == "spearman" else weighted_pearson
            value = float(correlate(x, y, once[:, codes])[0])
            rows.append((value, _resample_blocks(correlate, x, y, codes, weights), len(x), None))
        elif has_pairs:
            both = weighted_kendall(x, y, codes, np.concatenate([once, weights]))
            rows.append((float(both[0]), both[1:], len(x), None))
        else:
            from scipy.stats import kendalltau

            reason = (
                f"no interval of Kendall's tau for more than {MAX_PAIRED_VALUES:,} answers or {MAX_RESAMPLED:,} items"
            )
            rows.append((float(kendalltau(x, y).statistic), np.empty(0), len(x), reason))
    return rows


def _resample_blocks(correlate: object, x: Array, y: Array, codes: Array, weights: Array) -> Array:
    size = max(1, 4_000_000 // max(1, len(x)))
    blocks = [correlate(x, y, weights[start : start + size][:, codes]) for start in range(0, len(weights), size)]  # type: ignore[operator]
    return np.concatenate(blocks)


def _correlate_within_items(people: _Scores, scores: _Scores, clusters: Array, weights: Array) -> list[_Result]:
    """Average over items the correlation over systems; items with too few systems or equal scores do not count."""
    rows: list[_Result] = []
    known = np.isfinite(people.values) & np.isfinite(scores.values)
    whole = known.all(axis=0)
    for method in METHODS:
        values = np.full(known.shape[1], np.nan)
        if whole.any() and len(known) >= MIN_SYSTEMS:
            values[whole] = correlate_rows(scores.values[:, whole].T, people.values[:, whole].T, method)
        for item in np.flatnonzero(~whole & (known.sum(axis=0) >= MIN_SYSTEMS)).tolist():
            some = known[:, item]
            values[item] = correlate_rows(scores.values[some, item], people.values[some, item], method)[0]
        finite = np.isfinite(values)
        if not finite.any():
            reason = f"no item has different scores of at least {MIN_SYSTEMS} systems"
            rows.append((math.nan, np.empty(0), 0, reason))
            continue
        sums = np.zeros((weights.shape[1], 2))
        np.add.at(sums, clusters[finite], np.stack([values[finite], np.ones(int(finite.sum()))], axis=1))
        drawn = weights @ sums
        means = np.divide(drawn[:, 0], drawn[:, 1], out=np.full(len(drawn), np.nan), where=drawn[:, 1] > 0)
        rows.append((float(values[finite].mean()), means, int(finite.sum()), None))
    return rows


def _correlate_systems(people: _Scores, scores: _Scores, weights: Array) -> list[_Result]:
    both = np.concatenate([np.ones((1, weights.shape[1])), weights])
    x, y = scores.compute_means(both), people.compute_means(both)
    known = np.isfinite(x[0]) & np.isfinite(y[0])
    n = int(known.sum())
    reason = f"{n} systems; at least {MIN_SYSTEMS} are needed" if n < MIN_SYSTEMS else None
    reason = reason or _explain_constant(x[0, known], y[0, known])
    if reason:
        return [(math.nan, np.empty(0), n, reason)] * 3
    rows = [correlate_rows(x[:, known], y[:, known], method) for method in METHODS]
    return [(float(values[0]), values[1:], n, None) for values in rows]


def _explain_constant(x: Array, y: Array) -> str | None:
    if len(x) < MIN_SYSTEMS:
        return f"{len(x)} pairs of scores"
    if np.ptp(x) == 0:
        return "the metric is constant"
    return "the human scores are constant" if np.ptp(y) == 0 else None
