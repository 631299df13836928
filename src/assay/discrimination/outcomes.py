"""The outcome of every system on every item of one dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.discrimination.lambdas.resampling import divide_sums, sum_outcomes
from assay.discrimination.measurements import Measurement
from assay.discrimination.scales import Scale, infer_scale
from assay.evaluation import Predictions, prepare_predictions
from assay.evaluation.predictions.labels import find_label_scheme
from assay.evaluation.repeats.stacking import average_known, collect_repeats, has_repeats
from assay.kinds import kind_of
from assay.metrics import find_metric

GRADE_OUTCOME = "closeness to the grade"


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes:
    """Outcomes of one (benchmark, dataset, metric), systems × items, nan = not answered.

    A metric that is not a mean brings `sums` (systems × items × sums) and `value`, which turns sums into the metric.
    With `over_groups` the metric is defined on groups of items, which are then the sampled units. `item_metric` names
    the outcome of a single item, if it is another one than the metric.
    """

    benchmark: str
    dataset: str
    metric: str
    systems: tuple[str, ...]
    table: Array
    groups: Array | None = None
    sums: Array | None = None
    value: Callable[[Array], Any] | None = None
    lower_is_better: bool = False
    over_groups: bool = False
    upper: float | None = None
    notes: tuple[str, ...] = field(default=())
    ids: tuple[str, ...] | None = None
    chances: Array | None = None  # of a blind guess to be right, item by item
    item_metric: str | None = None

    def infer_scale(self) -> Scale:
        """Infer the scale of the metric from the outcomes of items, or from the scores if it is not a mean."""
        values = self.table if self.sums is None else self._compute_scores()
        return infer_scale(values, self.metric, lower_is_better=self.lower_is_better)

    @property
    def scale(self) -> float:
        """The factor that puts the metric on the percent scale; 1 if it is on another scale."""
        return self.infer_scale().factor

    def choose_units(self, clustered: bool | None) -> Array | None:
        """Return the group of every item if groups are sampled whole, which is the rule if there are any."""
        if self.groups is None or (clustered is False and not self.over_groups):
            return None
        has_groups = self.over_groups or len(np.unique(np.asarray(self.groups))) < len(self.groups)
        return self.groups if has_groups else None

    def metric_parts(self) -> tuple[Array, Callable[[Array], Any]]:
        """Return the sums and the function that turns them into the metric; those of the mean if it is one."""
        if self.sums is None or self.value is None:
            return sum_outcomes(self.table), divide_sums
        return self.sums, self.value

    def measure(self) -> Measurement:
        """Return the scores of the systems that have one, in percent if they are on a known scale."""
        scale = self.infer_scale()
        scores = np.round(self._compute_scores() * scale.factor, 9)  # equal counts must give equal scores
        bound = scale.upper if self.upper is None else self.upper
        n_items = np.isfinite(self.table).sum(axis=1).astype(float)
        names = (self.benchmark, self.dataset, self.metric)
        is_percent = scale.is_percent or self.upper == 100.0
        measurement = Measurement(*names, self.systems, scores, n_items, bound, self.lower_is_better, is_percent)
        return measurement.take(np.flatnonzero(np.isfinite(scores)))

    def name_items(self, rows: Any) -> tuple[str | int, ...]:
        """Return the ids of some items; their numbers if they have none."""
        return tuple(int(row) if self.ids is None else self.ids[row] for row in rows)

    def order_systems(self) -> list[str]:
        """Return the systems by their mean outcome, the largest first."""
        means = np.nansum(self.table, axis=1) / np.maximum(np.isfinite(self.table).sum(axis=1), 1)
        order = sorted(range(len(self.systems)), key=lambda row: (-means[row], self.systems[row]))
        return [self.systems[row] for row in order]

    def take(self, systems: Sequence[str]) -> Outcomes:
        """Keep some systems, in the order of their names here."""
        rows = [self.systems.index(name) for name in systems]
        sums = None if self.sums is None else self.sums[rows]
        return replace(self, systems=tuple(systems), table=self.table[rows], sums=sums)

    def _compute_scores(self) -> Array:
        sums, metric = self.metric_parts()
        scores: Array = np.asarray(metric(sums.sum(axis=1)[None]))[0]
        return scores

    def __repr__(self) -> str:
        names = " / ".join((self.benchmark, self.dataset, self.metric))
        return f"Outcomes({names}: {len(self.systems)} systems × {self.table.shape[1]} items)"


def build_outcomes(
    predictions: Predictions, dataset: str, metric: str | None = None, benchmark: str = "all"
) -> Outcomes:
    """Return the outcomes of predictions under a metric of `assay.evaluation`.

    The default is the metric that the kind of task is compared by: accuracy without data, Spearman's correlation for
    grades, or the mean score. Repeats of a run are averaged item by item; a metric that is not a mean over items takes
    each repeat as a system.
    """
    table = predictions.outcomes()
    kind = None if predictions.data is None else kind_of(predictions.data)
    default = "mean-score" if predictions.gold is None else "accuracy"
    if (
        kind is not None
        and predictions.data is not None
        and predictions.gold is not None
        and kind.scoring.has_own_metrics
    ):
        default = kind.scoring.outcome or default
        metric = metric or kind.scoring.choose_metrics(predictions.data)[0]
    if has_grades(predictions):
        default, table = GRADE_OUTCOME, _compare_grades(predictions)
        metric = metric or "spearman"
    systems = tuple(predictions.names)
    if metric is None or metric == default:
        systems, table = _average_repeats(predictions, table)
    outcomes = Outcomes(
        benchmark,
        dataset,
        metric or default,
        systems,
        table,
        predictions.groups,
        notes=predictions.notes,
        ids=tuple(predictions.ids.tolist()),
        chances=None if kind is None or predictions.data is None else kind.gold.get_chances(predictions.data),
        item_metric=default,
    )
    if metric is None or metric == default:
        return outcomes
    return _add_metric(outcomes, predictions, metric)


def has_grades(predictions: Predictions) -> bool:
    """Return whether gold answers are numbers on a scale, so that answers can be more or less close."""
    return predictions.gold is not None and find_label_scheme(predictions).graded


def _compare_grades(predictions: Predictions) -> Array:
    """Return how close answers come to the grades: 1 if they are equal, 0 if they differ by the whole scale."""
    rows = []
    for items in prepare_predictions(predictions).items.values():
        gold, predicted = items.gold_numbers, items.predicted_numbers
        distance = np.abs(predicted - gold) / max(float(np.ptp(gold)), np.finfo(float).tiny)
        rows.append(np.where(items.present, np.clip(1 - np.nan_to_num(distance, nan=1.0), 0.0, 1.0), np.nan))
    return np.stack(rows)


def _average_repeats(predictions: Predictions, table: Array) -> tuple[tuple[str, ...], Array]:
    if not has_repeats(predictions):
        return tuple(predictions.names), table
    rows = dict(zip(predictions.names, table, strict=True))
    runs = collect_repeats(predictions)
    means = [average_known(np.stack([rows[name] for name in names])) for names in runs.values()]
    return tuple(runs), np.stack(means)


def _add_metric(outcomes: Outcomes, predictions: Predictions, name: str) -> Outcomes:
    metric = find_metric(name) if predictions.data is None else kind_of(predictions.data).scoring.find_metric(name)
    prepared = prepare_predictions(predictions)
    for system, items in prepared.items.items():
        lack = metric.find_lack(items)
        if lack is not None:
            raise AssayError(f"no {name} for system '{system}': {lack}.", place=outcomes.dataset)
    sums = [np.asarray(table, dtype=float) for table in prepared.collect_statistics(metric).values()]
    return replace(
        outcomes,
        sums=np.stack(sums),
        value=metric.compute_value,
        lower_is_better=metric.lower_is_better,
        over_groups=metric.over_groups,
    )
