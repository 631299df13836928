"""What every system did on every item of one dataset, ready to be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.discrimination.measurement import Measurement
from assay.discrimination.resampling import mean_of, mean_sums

if TYPE_CHECKING:
    from assay.evaluation import Predictions


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes of one (benchmark, dataset, metric), systems × items, nan = not answered.

    A metric that is no mean brings `sums` (systems × items × sums) and `value`, which turns sums into the metric.
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

    @property
    def scale(self) -> float:
        """By what the metric is multiplied to stand on the percent scale."""
        scores = self._values()
        finite = scores[np.isfinite(scores)]
        return 100.0 if not len(finite) or (np.abs(finite) <= 1).all() else 1.0

    def _values(self) -> Array:
        sums, value = self.parts()
        values: Array = np.asarray(value(sums.sum(axis=1)[None]))[0]
        return values

    def parts(self) -> tuple[Array, Callable[[Array], Any]]:
        """Return the sums and the value; those of the mean where the metric is one."""
        if self.sums is None or self.value is None:
            return mean_sums(self.table), mean_of
        return self.sums, self.value

    def measurement(self) -> Measurement:
        """Return the scores on the percent scale, of the systems that have one."""
        scores = np.round(self._values() * self.scale, 9)  # equal counts must give equal scores
        bound = self.upper if self.upper is not None else 0.0 if self.lower_is_better else 100.0
        n_items = np.isfinite(self.table).sum(axis=1).astype(float)
        names = (self.benchmark, self.dataset, self.metric)
        whole = Measurement(*names, self.systems, scores, n_items, bound, self.lower_is_better)
        return whole.take(np.flatnonzero(np.isfinite(scores)))

    def named(self, items: Any) -> list[str | int]:
        """Return the ids of some items; their numbers where they have none."""
        return [int(item) if self.ids is None else self.ids[item] for item in items]

    def take(self, systems: tuple[str, ...]) -> Outcomes:
        """Keep some systems, in the order given."""
        rows = [self.systems.index(name) for name in systems]
        sums = None if self.sums is None else self.sums[rows]
        return replace(self, systems=tuple(systems), table=self.table[rows], sums=sums)


def from_predictions(
    predictions: Predictions, dataset: str, metric: str | None = None, benchmark: str = "all", missing: str = "skip"
) -> Outcomes:
    """Return the outcomes of predictions under a metric of the evaluation room (default accuracy, or mean score)."""
    table = predictions.outcomes()
    if missing == "wrong":
        table = np.nan_to_num(table, nan=0.0)
    plain = "mean-score" if predictions.gold is None else "accuracy"
    names, notes = tuple(predictions.names), predictions.notes
    if metric is None or metric == plain:
        ids = tuple(predictions.ids.tolist())
        return Outcomes(benchmark, dataset, metric or plain, names, table, predictions.groups, notes=notes, ids=ids)
    return _under(predictions, dataset, metric, benchmark, table, missing)


def _under(predictions: Predictions, dataset: str, name: str, benchmark: str, table: Array, missing: str) -> Outcomes:
    from assay.evaluation import METRICS, ScoringSettings, prepare_predictions

    metric = METRICS[name]
    prepared = prepare_predictions(predictions, ScoringSettings(missing_predictions=missing))
    for system, items in prepared.items.items():
        lack = items.find_lack(metric.needs)
        if lack is not None:
            raise AssayError(f"{dataset}: no {name} for system '{system}': {lack}.")
    sums = [np.asarray(table, dtype=float) for table in prepared.collect_statistics(metric).values()]
    return Outcomes(
        benchmark,
        dataset,
        name,
        tuple(predictions.names),
        table,
        predictions.groups,
        np.stack(sums),
        metric.compute_value,
        metric.lower_is_better,
        metric.over_groups,
        notes=predictions.notes,
        ids=tuple(predictions.ids.tolist()),
    )
