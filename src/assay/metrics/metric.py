"""The class of metrics, and the registry of all metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from assay.base.errors import MissingExtraError, import_extra, unknown_name
from assay.base.registry import Registry
from assay.metrics.items import REASONS, AnsweredItems, Need

if TYPE_CHECKING:
    from assay.base.arrays import Array
    from assay.statistics import Interval

    Collect = Callable[[AnsweredItems], Any]

Bounds = tuple[float, float]
F = TypeVar("F", bound="Collect")


class Proportion(NamedTuple):
    """A share: successes among trials."""

    successes: float
    trials: float


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A number that follows from sums of per-item statistics, so that all resamples are one product of matrices.

    `collect` returns one score per item, and the metric is their mean; or, with `combine`, a row of statistics per
    item, whose sums (on the last axis) `combine` turns into the value, nan if it is undefined.
    """

    name: str
    description: str
    needs: tuple[Need, ...]
    collect: Collect = field(repr=False)
    combine: Callable[[Array], Array] | None = field(default=None, repr=False)
    kinds: tuple[str, ...] = ()
    """The kinds of task that the metric belongs to; empty for every kind."""
    bounds: Bounds | None = (0.0, 1.0)
    """The range of the metric; None if it has no upper end."""
    bounds_from_scores: bool = False
    """The range is 0 to 1 if all scores are, else it is not known."""
    lower_is_better: bool = False
    ranks_systems: bool = True
    """A higher value, or a lower one of errors, is a better system."""
    is_share: bool = False
    """Scores are 0 or 1, so the interval is binomial."""
    compares_means: bool | None = None
    """Pairs of systems are tested on the first statistic alone; by default if the metric is a mean."""
    over_groups: bool = False
    """The last statistic counts groups, and n is their number."""
    fallback: str = ""
    """The metric to use instead if no label is positive."""
    undefined: str = "no item counts"
    """The reason if the value is nan."""
    packages: tuple[str, ...] = ()
    """Packages of an extra that must be installed."""
    proportion: Callable[[Array], tuple[float, float]] | None = field(default=None, repr=False)
    """Successes and trials, from sums, of the share that the metric is, or that `transform` turns into it."""
    transform: Callable[[float], float] | None = field(default=None, repr=False)
    interval: Callable[[float, int, float], Interval] | None = field(default=None, repr=False)
    """The metric's own formula of an interval, from value, n and confidence."""

    def __post_init__(self) -> None:
        if not self.description or not self.needs or not set(self.needs) <= set(REASONS):
            raise TypeError(
                f"The metric '{self.name}' must have a description, and `needs` from: {', '.join(REASONS)}."
            )

    @property
    def key(self) -> str:
        """The name in the registry, in which kinds of task may have metrics of the same name."""
        return f"{self.name} ({', '.join(self.kinds)})" if self.kinds else self.name

    @property
    def is_mean(self) -> bool:
        """Whether the metric is the mean of one score per item."""
        return self.combine is None

    @property
    def tests_means(self) -> bool:
        """Whether pairs of systems are tested on the first statistic alone."""
        return self.is_mean if self.compares_means is None else self.compares_means

    def collect_statistics(self, items: AnsweredItems) -> Array:
        """Return each item's statistics, one row per item; rows of zeros for items that do not count."""
        import numpy as np

        alone = self.needs == ("answers",)
        values = np.asarray(items.collect_once(self.key, self.collect) if alone else self.collect(items))
        if self.is_mean:
            values = np.stack([values, np.ones(len(values))], axis=1)
        table = np.asarray(values, dtype=np.float32 if values.dtype == np.float32 else np.float64)
        return table if items.present.all() else np.where(items.present[:, None], table, table.dtype.type(0))

    def compute_value(self, sums: Array) -> Array:
        """Turn sums of statistics (the last axis) into the metric, nan if it is undefined."""
        return combine_ratio(sums) if self.combine is None else self.combine(sums)

    def score(self, items: AnsweredItems) -> float:
        """Return the metric of one system."""
        return self.score_table(self.collect_statistics(items))

    def score_table(self, table: Array) -> float:
        """Return the metric of a table of per-item statistics."""
        return float(self.compute_value(table.sum(axis=0, dtype=float)))

    def find_lack(self, items: AnsweredItems) -> str | None:
        """Return why the metric cannot be computed for a system, None if it can."""
        return items.find_lack(self.needs) or self.find_missing_package()

    def find_missing_package(self) -> str | None:
        """Return which package must be installed to compute the metric, None if none is missing."""
        for package in self.packages:
            try:
                import_extra(package, "metrics", f"the metric {self.name}")
            except MissingExtraError as error:
                return error.fact
        return None

    def find_bounds(self, tables: Iterable[Array]) -> Bounds | None:
        """Return the range of the metric for these statistics of systems, None if it is not known."""
        if self.bounds_from_scores and all(_is_within_one(table) for table in tables):
            return 0.0, 1.0
        return self.bounds

    def is_at_most_one(self, values: Iterable[float]) -> bool:
        """Return whether the best value is 1, so that a share of the errors can be computed."""
        if self.bounds_from_scores:
            return all(not value > 1 for value in values)
        return self.bounds is not None and self.bounds[1] == 1.0 and not self.lower_is_better

    def find_proportion(self, sums: Array) -> Proportion | None:
        """Return the share that the metric is, or that `transform_share` turns into it; None for other metrics."""
        if self.is_share:
            return Proportion(float(sums[0]), float(sums[1]))
        return None if self.proportion is None else Proportion(*map(float, self.proportion(sums)))

    def transform_share(self, share: float) -> float:
        """Turn the share of `find_proportion` into the metric."""
        return share if self.transform is None else self.transform(share)

    def compute_interval(self, value: float, n: int, confidence: float) -> Interval | None:
        """Return an interval by the metric's own formula; None if it has none."""
        return None if self.interval is None else self.interval(value, n, confidence)


class MetricRegistry(Registry[Metric]):
    """All metrics by key; those for every kind of task are imported when the registry is first read."""

    def put(self, name: str, method: Any) -> None:
        """Register a metric under a key that is free."""
        if not isinstance(method, Metric):
            raise TypeError(f"'{name}' must be a Metric. Register a function with register_metric.")
        for other in self._methods.values():
            if other.name == method.name and (set(other.kinds) & set(method.kinds) or other.kinds == method.kinds):
                raise RuntimeError(f"The metric '{method.key}' is registered twice.")
        super().put(name, method)

    def _read(self) -> dict[str, Metric]:
        import_module("assay.metrics.common")
        return super()._read()


METRICS = MetricRegistry("metric", plugins=True, order=lambda metric: bool(metric.kinds))


def register_metric(
    name: str, *, kinds: Collection[str] = (), needs: tuple[Need, ...] = (), description: str = "", **options: Any
) -> Callable[[F], F]:
    """Return a decorator that registers a function as the `collect` of a metric; `options` are fields of `Metric`.

    The description is the first line of the function's docstring. A metric of some `kinds` of task needs answers.

    >>> @register_metric("length", kinds=("riddle",), bounds=None)
    ... def measure_lengths(items):
    ...     '''The number of letters of an answer.'''
    ...     return [len(answer) for answer in items.written[1]]
    >>> METRICS["length (riddle)"].description
    'The number of letters of an answer.'
    """

    def register(collect: F) -> F:
        text = description or (collect.__doc__ or "").strip().partition("\n")[0]
        known = needs or (("answers",) if kinds else ())
        metric = Metric(name=name, description=text, needs=known, collect=collect, kinds=tuple(kinds), **options)
        METRICS.put(metric.key, metric)
        return collect

    return register


def _list_metrics(kinds: Collection[str] = ()) -> dict[str, Metric]:
    """Return metrics by name: those of some kinds of task, before those for every kind."""
    own = {metric.name: metric for metric in METRICS.values() if set(kinds) & set(metric.kinds)}
    return own | {metric.name: metric for metric in METRICS.values() if not metric.kinds and metric.name not in own}


def find_metric(name: str, kinds: Collection[str] = ()) -> Metric:
    """Return the metric with a name, of some kinds of task or for every kind."""
    metrics = _list_metrics(kinds)
    if name not in metrics:
        raise unknown_name("metric", name, metrics)
    return metrics[name]


def divide(above: Array, below: Array) -> Array:
    """Divide, nan if there is nothing to divide by.

    >>> import numpy as np
    >>> divide(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    import numpy as np

    shape = np.broadcast(above, below).shape
    quotient: Array = np.divide(above, below, out=np.full(shape, np.nan), where=np.asarray(below) != 0)
    return quotient


def combine_ratio(sums: Array) -> Array:
    """Divide the first sum by the second."""
    return divide(sums[..., 0], sums[..., 1])


def combine_f1(sums: Array) -> Array:
    """Return F1 from what is right, what is in gold and what is predicted.

    >>> import numpy as np
    >>> combine_f1(np.array([1.0, 2.0, 2.0])).item()
    0.5
    """
    return divide(2.0 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _is_within_one(table: Array) -> bool:
    import numpy as np

    means = table[:, 0] / np.maximum(table[:, 1], 1e-300)
    return bool((means >= 0).all() and (means <= 1).all())
