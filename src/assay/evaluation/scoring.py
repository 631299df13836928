"""Score systems: every metric that applies, each with its interval and the number of items behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.results import Result
from assay.evaluation.coding import Scale, cells_of, check_missing, counted_by, items_of, scale_of
from assay.evaluation.intervals import Rows, intervals, rows_of
from assay.evaluation.metrics import METRICS, Items, Metric
from assay.evaluation.predictions import Predictions


@dataclass(frozen=True)
class Score(Result):
    """A metric of one system, its interval, and how many items (or groups, for rankings) it rests on."""

    value: float
    low: float
    high: float
    n: int
    method: str
    reason: str | None = None


@dataclass(frozen=True)
class Settings:
    """How to score: what counts as positive, what to do with missing answers, how to draw intervals."""

    positive: str | None = None
    missing: str = "skip"
    interval: str = "auto"
    confidence: float = 0.95
    n_resamples: int = 1000
    random_state: int = 0


@dataclass(frozen=True)
class Scored:
    """Systems as arrays: what every further measure starts from."""

    predictions: Predictions
    scale: Scale
    settings: Settings
    items: Mapping[str, Items] = field(repr=False)

    def tables(self, metric: Metric) -> dict[str, Array]:
        """Return the per-item statistics of each system for which the metric can be had."""
        counted = {name: counted_by(metric, items) for name, items in self.items.items()}
        return {name: metric.statistics(items) for name, items in counted.items() if not isinstance(items, str)}

    def units(self) -> Array | None:
        """Return the groups that are drawn whole, or None where items are drawn one by one."""
        return next(iter(self.items.values())).groups

    def scores(self, metric: Metric) -> dict[str, Score]:
        """Return a metric of every system with its interval."""
        groups, settings = self.units(), self.settings
        systems = self._rows(metric, groups)
        found = intervals(
            _bounded(metric, systems),
            list(systems.values()),
            grouped=groups is not None,
            method=settings.interval,
            confidence=settings.confidence,
            n_resamples=settings.n_resamples,
            random_state=settings.random_state,
        )
        made = dict(zip(systems, found, strict=True))
        return {name: _score(metric, items, made.get(name), systems.get(name)) for name, items in self.items.items()}

    def _rows(self, metric: Metric, groups: Array | None) -> dict[str, Rows]:
        if groups is None and set(metric.needs) <= {"predicted", "positive"}:
            counted = {name: counted_by(metric, items) for name, items in self.items.items()}
            whole = {name: items for name, items in counted.items() if not isinstance(items, str)}
            cells = {name: cells_of(items) for name, items in whole.items()}
            return {name: Rows(metric.statistics(items), *told) for name, (items, *told) in cells.items()}
        return {name: rows_of(table, groups) for name, table in self.tables(metric).items()}

    def take(self, rows: Array) -> Scored:
        """Keep some items; labels and the positive one stay as they are."""
        items = {name: _rows(given, rows) for name, given in self.items.items()}
        return replace(self, predictions=self.predictions.take(rows), items=items)

    def only(self, names: Sequence[str]) -> Scored:
        """Keep some systems."""
        return replace(self, predictions=self.predictions.only(names), items={name: self.items[name] for name in names})


def prepared(predictions: Predictions, settings: Settings, scale: Scale | None = None) -> Scored:
    """Turn answers into arrays, once for all metrics."""
    check_missing(predictions, settings.missing)
    scale = scale_of(predictions, settings.positive) if scale is None else scale
    answers = predictions.systems.items()
    items = {name: items_of(predictions, given, scale, settings.missing) for name, given in answers}
    return Scored(predictions, scale, settings, items)


def chosen_metrics(scored: Scored, names: Sequence[str] | None = None) -> list[Metric]:
    """Return the metrics asked for, or all that apply; `f1` means macro-F1 where no label is positive."""
    if names:
        return list(dict.fromkeys(_named(scored, name) for name in names))
    return [METRICS[name] for name in _default(scored)]


def primary_metric(scored: Scored, names: Sequence[str] | None = None) -> Metric:
    """Return the metric that systems are compared by: the first asked for, else the one the task suggests."""
    if names:
        return _named(scored, names[0])
    if scored.predictions.gold is None or _outcomes_only(scored):
        return METRICS["mean-score"]
    return METRICS["spearman"] if scored.scale.graded else _named(scored, "f1")


def _named(scored: Scored, name: str) -> Metric:
    metric = METRICS[name.replace("_", "-").lower()]
    if "positive" not in metric.needs or scored.scale.positive is not None:
        return metric
    if metric.over_groups:
        raise AssayError(f"{metric.name} needs to know which label is positive: name it with --positive.")
    return METRICS[f"macro-{metric.name}"]


def _default(scored: Scored) -> list[str]:
    if scored.predictions.gold is None or _outcomes_only(scored):
        return ["mean-score"]
    if scored.scale.graded:
        return ["spearman", "pearson", "rmse"]
    names = ["accuracy"]
    if scored.scale.positive is not None:
        names += ["precision", "recall", "f1"]
    names += ["macro-f1", "mcc"]
    some = list(scored.items.values())
    if any(items.probabilities is not None for items in some):
        names += ["log-loss", "brier", "calibration-error"]
    if any(items.scores is not None and items.groups is not None for items in some) and scored.scale.positive:
        names += ["map", "mrr", "ndcg"]
    return names


def _outcomes_only(scored: Scored) -> bool:
    return all(items.outcomes is not None for items in scored.items.values())


def _bounded(metric: Metric, systems: Mapping[str, Rows]) -> Metric:
    """Item scores have bounds only where all of them lie within 0–1."""
    if metric.name != "mean-score" or not all(_within_one(rows) for rows in systems.values()):
        return metric
    return replace(metric, bounds=(0.0, 1.0))


def _rows(items: Items, rows: Array) -> Items:
    values: dict[str, Any] = {item.name: getattr(items, item.name) for item in fields(items)}
    arrays: dict[str, Any] = {name: value[rows] for name, value in values.items() if isinstance(value, np.ndarray)}
    return Items(**{**values, **arrays})


def _within_one(rows: Rows) -> bool:
    means = rows.table[:, 0] / np.maximum(rows.table[:, 1], 1e-300)
    return bool((means >= 0).all() and (means <= 1).all())


def _score(metric: Metric, items: Items, interval: Any, rows: Rows | None) -> Score:
    counted = counted_by(metric, items)
    if isinstance(counted, str) or interval is None or rows is None:
        return Score(math.nan, math.nan, math.nan, 0, "none", str(counted))
    n = int(rows.sums[-1]) if metric.over_groups else int(counted.present.sum())
    reason = None if math.isfinite(interval.value) else (metric.undefined if n else "no item counts")
    return Score(interval.value, interval.low, interval.high, n, interval.method, reason)


def score_sums(metric: Metric, table: Array) -> float:
    """Return a metric of per-item statistics."""
    return float(metric.value(table.sum(axis=0, dtype=np.float64)))
