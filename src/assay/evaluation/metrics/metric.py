"""What a metric is, and the registry of all metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.evaluation.metrics.items import AnswerForm, ScoredItems
from assay.statistics import Interval

Bounds = tuple[float, float]


class Proportion(NamedTuple):
    """A share: successes among trials."""

    successes: float
    trials: float


@dataclass(frozen=True)
class Metric(ABC):
    """A number that follows from sums of per-item statistics, so that all resamples are one product of matrices.

    A subclass says which forms of answers it `needs`, collects statistics and turns their sums into its value; the
    first line of its docstring describes it. It is registered by `@METRICS.add("name")`.
    """

    name: str
    needs: ClassVar[tuple[type[AnswerForm], ...]]
    bounds: ClassVar[Bounds | None] = (0.0, 1.0)
    lower_is_better: ClassVar[bool] = False
    over_groups: ClassVar[bool] = False  # the last statistic counts groups, and n is their number
    fallback: ClassVar[str | None] = None  # the metric to use instead if no label is positive
    undefined: ClassVar[str] = "no item counts"  # the reason where the value is nan
    compares_means: ClassVar[bool] = False  # pairs of systems are tested on the first statistic alone

    @abstractmethod
    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return each item's statistics, one row per item; rows of zeros where an item does not count."""

    @abstractmethod
    def compute_value(self, sums: Array) -> Array:
        """Turn sums of statistics (the last axis) into the metric, nan if it is undefined."""

    def find_bounds(self, tables: Iterable[Array]) -> Bounds | None:  # noqa: ARG002, item scores look at them
        """Return the range of the metric for these statistics of systems, None if it has none."""
        return self.bounds

    def find_proportion(self, sums: Array) -> Proportion | None:  # noqa: ARG002, shares look at them
        """Return the share that the metric is, or that `transform_share` turns into it; None for other metrics."""
        return None

    def transform_share(self, share: float) -> float:
        """Turn the share of `find_proportion` into the metric."""
        return share

    def compute_interval(self, value: float, n: int, confidence: float) -> Interval | None:  # noqa: ARG002
        """Return an interval by a formula of the metric's own; None if it has none."""
        return None

    def is_at_most_one(self, values: Iterable[float]) -> bool:  # noqa: ARG002, item scores look at them
        """Return whether the best value is 1, so that a share of the errors can be computed."""
        return self.bounds is not None and self.bounds[1] == 1.0

    def find_lack(self, items: ScoredItems) -> str | None:
        """Return why the metric cannot be computed for a system, None if it can."""
        return items.find_lack(self.needs)

    def score_table(self, table: Array) -> float:
        """Return the metric of a table of per-item statistics."""
        return float(self.compute_value(table.sum(axis=0, dtype=np.float64)))

    def score(self, items: ScoredItems) -> float:
        """Return the metric of one system."""
        return self.score_table(self.collect_statistics(items))


class ItemMetric(Metric):
    """A metric that is the mean of one score per item.

    With `is_share`, the scores are 0 or 1 and the interval is a binomial one.
    """

    is_share: ClassVar[bool] = False
    compares_means: ClassVar[bool] = True

    @abstractmethod
    def score_items(self, items: ScoredItems) -> Array:
        """Return the score of each item; what items that do not count get is ignored."""

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return each item's score, and one for each item."""
        return stack_columns(items, self.score_items(items), np.ones(len(items)))

    def compute_value(self, sums: Array) -> Array:
        """Divide the sum of the scores by the number of items."""
        return divide(sums[..., 0], sums[..., 1])

    def find_proportion(self, sums: Array) -> Proportion | None:
        """Return the number of right items among all."""
        return Proportion(float(sums[0]), float(sums[1])) if self.is_share else None


class MetricRegistry(Registry[Metric]):
    """All metrics by name. `add` registers a class and keeps an instance of it that knows its name."""

    def put(self, name: str, method: Any) -> None:
        """Register a metric, or a class of which an instance is made."""
        metric = method(name) if isinstance(method, type) else method
        if not isinstance(metric, Metric) or not getattr(metric, "needs", ()) or not metric.__doc__:
            raise TypeError(f"The metric '{name}' must be a Metric with `needs` and a docstring.")
        super().put(name, metric)


METRICS = MetricRegistry("metric", plugins=True)


def divide(above: Array, below: Array) -> Array:
    """Divide, nan if there is nothing to divide by.

    >>> divide(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    shape = np.broadcast(above, below).shape
    quotient: Array = np.divide(above, below, out=np.full(shape, np.nan), where=np.asarray(below) != 0)
    return quotient


def stack_columns(items: ScoredItems, *columns: Any) -> Array:
    """Put columns side by side, with zeros for items that do not count."""
    table = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)
    table[~items.present] = 0.0
    return table
