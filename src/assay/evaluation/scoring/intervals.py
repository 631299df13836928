"""An interval for any metric of any number of systems.

`auto` takes what covered the truth best (benchmarks/coverage.py): Wilson's interval for shares and for F1, Wilson's at
the effective sample size of the jackknife for other bounded metrics, BCa for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.evaluation.metrics.metric import Bounds, Metric
from assay.evaluation.scoring.workers import Workers
from assay.statistics import (
    Interval,
    bca,
    cell_sums,
    distinct_sums,
    effective_wilson,
    group_sums,
    modified_wilson,
    percentile,
    tails,
)

INTERVALS = ("auto", "wilson", "bca", "percentile")
BLOCK_SIZE = 3_000_000  # statistics of the jackknife at a time


@dataclass(frozen=True)
class CountedRows:
    """Statistics of items, equal ones counted together; items that do not count (rows of zeros) are left out.

    `cells` is the row of each item of the data, −1 if it does not count.
    """

    table: Array
    counts: Array
    cells: Array | None = None

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.counts.sum())

    @property
    def sums(self) -> Array:
        """The sums over all items."""
        return np.asarray(self.counts @ self.table.astype(np.float64))


def count_rows(table: Array, groups: Array | None = None) -> CountedRows:
    """Return the rows that are resampled: those of items, or with groups the sums of each group."""
    summed = table if groups is None else group_sums(table, groups)
    rows = summed[np.any(summed != 0, axis=1)]
    return CountedRows(rows, np.ones(len(rows), dtype=np.int64))


def compute_intervals(
    metric: Metric,
    systems: Sequence[CountedRows],
    *,
    grouped: bool = False,
    method: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
    workers: Workers | None = None,
) -> list[Interval]:
    """Return a metric and its interval for each system, given the systems' statistics.

    With `grouped`, rows are sums of whole groups: groups and not items are the units of sampling.
    """
    tails(confidence)
    if method not in INTERVALS:
        raise unknown_name("interval", method, INTERVALS)
    own = _own_intervals(metric, systems, confidence) if method == "auto" and not grouped else []
    if own:
        return own
    bounds = metric.find_bounds(rows.table for rows in systems)
    if method in ("bca", "percentile") or bounds is None:
        bootstrap = "bca" if method in ("auto", "wilson") else method
        resampled = _draw_sums(systems, n_resamples, random_state, workers or Workers())
        return [
            _bootstrap_interval(metric, rows, sums, bootstrap, confidence)
            for rows, sums in zip(systems, resampled, strict=True)
        ]
    return [
        (None if grouped else _proportion_interval(metric, rows, confidence))
        or _effective_interval(metric, bounds, rows, confidence)
        for rows in systems
    ]


def compute_jackknife(metric: Metric, rows: CountedRows) -> Array:
    """Return the metric without one item of each row, in blocks."""
    total, table = rows.sums, rows.table
    size = max(1, BLOCK_SIZE // max(1, table.shape[1]))
    parts = [metric.compute_value(total - table[start : start + size]) for start in range(0, len(table), size)]
    return np.concatenate(parts) if parts else np.empty(0)


def _own_intervals(metric: Metric, systems: Sequence[CountedRows], confidence: float) -> list[Interval]:
    """Return the intervals by the metric's own formula; none if it has no formula."""
    intervals = []
    for rows in systems:
        interval = metric.compute_interval(float(metric.compute_value(rows.sums)), rows.n, confidence)
        if interval is None:
            return []
        intervals.append(interval)
    return intervals


def _proportion_interval(metric: Metric, rows: CountedRows, confidence: float) -> Interval | None:
    sums = rows.sums
    proportion = metric.find_proportion(sums)
    if proportion is None:
        return None
    share = modified_wilson(*proportion, confidence)
    low, high = metric.transform_share(share.low), metric.transform_share(share.high)
    return Interval(float(metric.compute_value(sums)), low, high, confidence, share.method)


def _effective_interval(metric: Metric, bounds: Bounds, rows: CountedRows, confidence: float) -> Interval:
    from scipy.special import ndtri, stdtrit

    value, n = float(metric.compute_value(rows.sums)), rows.n
    if n < 2 or not math.isfinite(value):
        return Interval(value, math.nan, math.nan, confidence, "effective-wilson")
    low, high = bounds
    upper = tails(confidence)[1]
    widening = float(stdtrit(n - 1, upper) / ndtri(upper))  # few groups: their spread is itself uncertain
    error = _jackknife_error(compute_jackknife(metric, rows), rows.counts) / (high - low) * widening
    share = effective_wilson((value - low) / (high - low), error, n, confidence)
    return Interval(value, low + share.low * (high - low), low + share.high * (high - low), confidence, share.method)


def _draw_sums(systems: Sequence[CountedRows], n_resamples: int, random_state: int, workers: Workers) -> list[Array]:
    """Return the sums of every resample: few rows are drawn as such, many by way of the items, together."""
    if systems and all(rows.cells is not None for rows in systems) and _has_many_rows(systems):
        return cell_sums([(rows.cells, rows.table) for rows in systems], n_resamples, random_state)  # type: ignore[misc]
    n_draws = n_resamples * sum(len(rows.counts) for rows in systems)
    tasks = [(rows.table, rows.counts, n_resamples, random_state) for rows in systems]
    return workers.run(_draw_system_sums, tasks, n_draws)


def _draw_system_sums(table: Array, counts: Array, n_resamples: int, random_state: int) -> Array:
    n = int(counts.sum())
    return distinct_sums(table, counts if len(counts) < n else None, n_resamples, random_state) if n else table


def _has_many_rows(systems: Sequence[CountedRows]) -> bool:
    # Measurements, in nanoseconds per resample: 200 for the count of a row, 10 to draw an item, 0.2 to add it to a system.
    n_items = max(len(rows.cells) for rows in systems if rows.cells is not None)
    return 200 * sum(len(rows.counts) for rows in systems) > n_items * (10 + 0.2 * len(systems))


def _bootstrap_interval(metric: Metric, rows: CountedRows, sums: Array, method: str, confidence: float) -> Interval:
    if not rows.n:
        return Interval(math.nan, math.nan, math.nan, confidence, method)
    value = float(metric.compute_value(rows.sums))
    if method == "percentile":
        return percentile(metric.compute_value(sums), confidence, value)
    jackknife = np.repeat(compute_jackknife(metric, rows), rows.counts)
    return bca(value, metric.compute_value(sums), jackknife, confidence)


def _jackknife_error(values: Array, counts: Array) -> float:
    finite = np.isfinite(values)
    values, counts = values[finite], counts[finite]
    n = int(counts.sum())
    if not n:
        return math.nan
    mean = float(counts @ values) / n
    return math.sqrt((n - 1) / n * float(counts @ (values - mean) ** 2))
