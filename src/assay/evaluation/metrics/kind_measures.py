"""Metrics that belong to a kind of task, in the form that scores, slices and comparisons take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.items import FORMS, AnswerForm, ScoredItems, Task
from assay.evaluation.metrics.metric import Bounds, Metric, Proportion
from assay.evaluation.predictions.types import Answers
from assay.kinds import Measure, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.data import Dataset


@FORMS.add("answers")
@dataclass(frozen=True, eq=False)
class KindAnswers(AnswerForm):
    """One system's answers next to the items; statistics are computed once for all items, and then rows are taken."""

    missing: ClassVar[str] = "the items themselves are needed, which come with the data"
    rows: Array
    data: Dataset = field(repr=False)
    answers: tuple[str | None, ...] = field(repr=False)
    known: dict[str, Array] = field(default_factory=dict, repr=False)

    @classmethod
    def build(cls, task: Task, answers: Answers) -> Self | None:
        """Take the answers of a system to items of a kind with measures of its own."""
        data = task.predictions.data
        if data is None or answers.predicted is None or not kind_of(data).measures:
            return None
        return cls(np.arange(len(data)), data, tuple(answers.predicted.tolist()))

    def collect(self, measure: Measure) -> Array:
        """Return the statistics of the items."""
        if measure.name not in self.known:
            self.known[measure.name] = measure.collect(self.data, [answer or "" for answer in self.answers])
        return self.known[measure.name][self.rows]


@dataclass(frozen=True)
class KindMetric(Metric):
    """A metric of a kind of task."""

    needs = (KindAnswers,)
    measure: Measure

    def __post_init__(self) -> None:
        for name in ("bounds", "lower_is_better", "undefined"):
            object.__setattr__(self, name, getattr(self.measure, name))
        object.__setattr__(self, "compares_means", self.measure.is_mean)

    def find_lack(self, items: ScoredItems) -> str | None:
        """Return why the metric cannot be computed: no data, or a package that is not installed."""
        return super().find_lack(items) or self.measure.find_missing_package()

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return each item's statistics, zeros where an item does not count."""
        table = np.array(items[KindAnswers].collect(self.measure))
        table[~items.present] = 0.0
        return table

    def compute_value(self, sums: Array) -> Array:
        """Turn sums into the metric."""
        return self.measure.compute(sums)

    def find_bounds(self, tables: Iterable[Array]) -> Bounds | None:
        """Return the range of the metric."""
        del tables
        return self.measure.bounds

    def find_proportion(self, sums: Array) -> Proportion | None:
        """Return the share that the metric is, where items are right or wrong."""
        return Proportion(float(sums[0]), float(sums[1])) if self.measure.is_share else None

    def is_at_most_one(self, values: Iterable[float]) -> bool:
        """Return whether the best value is 1."""
        del values
        return self.measure.bounds is not None and self.measure.bounds[1] == 1.0 and not self.measure.lower_is_better


def find_kind_metric(data: Dataset | None, name: str) -> KindMetric | None:
    """Return the metric with this name of the kind of the data, None if it has none of its own."""
    measures = () if data is None else kind_of(data).measures
    return next((KindMetric(name, measure) for measure in measures if measure.name == name), None)
