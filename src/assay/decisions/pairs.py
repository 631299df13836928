"""The scores of two systems on the items that both were run on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, unknown_name
from assay.decisions.estimation import (
    MAX_TESTED_UNITS,
    N_PERMUTATIONS,
    estimate_difference,
    estimate_mean,
    include_zero,
)
from assay.evaluation import PreparedPredictions
from assay.evaluation.comparison.swaps import compute_swap_p_values
from assay.evaluation.repeats.stacking import average_known
from assay.evaluation.scoring.intervals import CountedRows, compute_jackknife
from assay.metrics import Metric
from assay.statistics import Interval, group_sums

POINTS = 100.0


@dataclass(frozen=True, eq=False)
class ItemPair:
    """Two systems on one metric that is a mean over items: repeats × items of each, nan if an item was not run.

    `differences` are per item, candidate − baseline, positive if the candidate is better; nan unless both were run.
    """

    baseline: Array
    candidate: Array
    ids: Array
    groups: Array | None
    span: float
    differences: Array = field(init=False)

    def __post_init__(self) -> None:
        means = average_known(self.candidate) - average_known(self.baseline)
        object.__setattr__(self, "differences", means)

    @property
    def shared(self) -> Array:
        """Which items both systems were run on."""
        return np.asarray(np.isfinite(self.differences))

    def estimate(self, confidence: float, rows: Array | None = None, seed: int = 0) -> Interval:
        """Return the mean difference with its interval, on all items or on some."""
        chosen = self.shared if rows is None else self.shared & rows
        groups = None if self.groups is None else self.groups[chosen]
        return estimate_difference(self.differences[chosen], confidence, groups=groups, span=self.span, seed=seed)


def collect_pair(prepared: PreparedPredictions, metric: Metric, baseline: str, candidate: str) -> ItemPair:
    """Return the item scores of two systems in a metric that is a mean."""
    predictions = prepared.predictions
    n_repeats = predictions.n_repeats
    n_items = len(predictions) // n_repeats
    tables = [score_rows(prepared, metric, name).reshape(n_repeats, n_items) for name in (baseline, candidate)]
    tables = [table[np.isfinite(table).any(axis=1)] if np.isfinite(table).any() else table[:1] for table in tables]
    sign = -1.0 if metric.lower_is_better else 1.0
    groups = find_groups(prepared)
    span = find_span(metric, tables)
    return ItemPair(sign * tables[0], sign * tables[1], predictions.ids[:n_items], groups, span)


def find_groups(prepared: PreparedPredictions) -> Array | None:
    """Return the group of each item; None if items have no groups (repeats of an item are not a group)."""
    predictions = prepared.predictions
    n_items = len(predictions) // predictions.n_repeats
    if predictions.groups is None:
        return None
    groups = predictions.groups[:n_items]
    if predictions.n_repeats > 1 and np.array_equal(groups, predictions.ids[:n_items]):
        return None
    return np.unique(groups.astype(str), return_inverse=True)[1]


def find_span(metric: Metric, tables: list[Array]) -> float:
    """Return the largest difference that one item can have: the range of the metric, or else that of the scores."""
    bounds = metric.find_bounds(
        [np.column_stack([table[np.isfinite(table)], np.ones(np.isfinite(table).sum())]) for table in tables]
    )
    if bounds is not None:
        return bounds[1] - bounds[0]
    values = np.concatenate([table[np.isfinite(table)] for table in tables])
    return float(np.ptp(values)) if len(values) and np.ptp(values) > 0 else 1.0


def score_rows(prepared: PreparedPredictions, metric: Metric, system: str) -> Array:
    """Return the score of each row in a metric that is a mean; nan if it was not run."""
    items = prepared.items[system]
    lack = metric.find_lack(items)
    if lack is not None:
        raise AssayError(f"{metric.name} of '{system}' cannot be computed: {lack}")
    items = items.restrict(metric.needs)
    table = metric.collect_statistics(items)
    present = items.present & (table[:, 1] != 0)
    return np.divide(table[:, 0], table[:, 1], out=np.full(len(table), np.nan), where=present)


def compare_metric(
    prepared: PreparedPredictions, metric: Metric, baseline: str, candidate: str, confidence: float, seed: int
) -> Interval:
    """Return the difference in a metric that is not a mean, such as F1, by the jackknife over items or groups."""
    masks = [prepared.count_items(metric)[name].present for name in (baseline, candidate)]
    pair = prepared.select([baseline, candidate]).take(np.flatnonzero(masks[0] & masks[1]))
    tables = list(pair.collect_statistics(metric).values())
    if pair.groups is not None:
        tables = [group_sums(table, pair.groups) for table in tables]
    tables = tables[::-1] if not metric.lower_is_better else tables
    value = metric.score_table(tables[0]) - metric.score_table(tables[1])
    n = len(tables[0])
    left_out = [compute_jackknife(metric, CountedRows(table, np.ones(n))) for table in tables]
    influences = n * value - (n - 1) * (left_out[0] - left_out[1])
    influences = np.where(np.isfinite(influences), influences, value)
    span = 1.0 if metric.bounds is None else metric.bounds[1] - metric.bounds[0]
    interval = estimate_mean(influences, confidence, span=span, value=value)
    if n <= MAX_TESTED_UNITS and compute_swap_p_values(metric, tables, N_PERMUTATIONS, seed)[0, 1] > 1 - confidence:
        interval = include_zero(interval)
    method = "jackknife" if pair.groups is None else "jackknife over groups"
    return Interval(interval.value, interval.low, interval.high, confidence, method)


def find_factor(metric: Metric, pair: ItemPair | None) -> float:
    """Return 100 if the metric lies between 0 and 1, so that differences are in points; else 1."""
    if metric.bounds_from_scores:
        return POINTS if pair is not None and pair.span == 1 else 1.0
    return POINTS if metric.bounds is not None and metric.bounds[1] == 1 else 1.0


def choose_systems(names: list[str], baseline: str | None, candidate: str | None) -> tuple[str, str]:
    """Return the two systems; one may be left out if there are only two.

    >>> choose_systems(["a", "b"], None, "b")
    ('a', 'b')
    """
    given = {"baseline": baseline, "candidate": candidate}
    for role, name in given.items():
        if name is not None and name not in names:
            raise unknown_name(role, name, names)
    if baseline is not None and baseline == candidate:
        raise UsageError(f"Baseline and candidate are both '{baseline}'.", hint="Name two different systems.")
    for role, other in (("baseline", candidate), ("candidate", baseline)):
        rest = [name for name in names if name != other]
        if given[role] is None and (other is None or len(rest) != 1):
            from assay.base.errors import join_names

            hint = f"Name it with {{{role}}}; the systems are {join_names(names)}."
            raise UsageError(f"The {role} is not named.", hint=hint)
        given[role] = given[role] or rest[0]
    return str(given["baseline"]), str(given["candidate"])
