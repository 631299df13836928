"""An interval for any metric of any number of systems.

`auto` takes what held the truth best (benchmarks/coverage.py): Wilson's interval for shares and for F1,
Wilson's at the effective sample size of the jackknife for other bounded metrics, BCa for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.evaluation.metrics.base import Metric
from assay.statistics import (
    Interval,
    bca,
    cell_sums,
    distinct_sums,
    effective_wilson,
    fisher_interval,
    group_sums,
    modified_wilson,
    percentile,
    tails,
)

METHODS = ("auto", "wilson", "bca", "percentile")
_CELLS = 3_000_000  # statistics of the jackknife at a time


@dataclass(frozen=True)
class Rows:
    """Statistics of items, equal ones counted together; items that do not count (rows of zeros) are not drawn."""

    table: Array
    counts: Array
    cells: Array | None = None  # the row of each item of the data, −1 where it does not count

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.counts.sum())

    @property
    def sums(self) -> Array:
        """The sums over all items."""
        total: Array = self.counts @ self.table.astype(np.float64)
        return total


def rows_of(table: Array, groups: Array | None = None) -> Rows:
    """Return the rows that are drawn: those of items, or with groups the sums of each group."""
    summed = table if groups is None else group_sums(table, groups)
    counted = summed[np.any(summed != 0, axis=1)]
    return Rows(counted, np.ones(len(counted), dtype=np.int64))


def intervals(
    metric: Metric,
    systems: Sequence[Rows],
    *,
    grouped: bool = False,
    method: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> list[Interval]:
    """Return a metric and its interval for each system, given the systems' statistics.

    Grouped rows are sums of whole groups: they and not items are what was drawn from the world.
    """
    tails(confidence)
    if method not in METHODS:
        raise unknown_name("interval", method, METHODS)
    if method == "auto" and metric.name == "spearman" and not grouped:
        return [_bonett_wright(metric, rows, confidence) for rows in systems]
    if method in ("bca", "percentile") or metric.bounds is None:
        chosen = "bca" if method in ("auto", "wilson") else method
        drawn = _drawn(systems, n_resamples, random_state)
        return [_cut(metric, rows, sums, chosen, confidence) for rows, sums in zip(systems, drawn, strict=True)]
    if metric.proportion is not None and not grouped:
        return [_shares(metric, rows, confidence) for rows in systems]
    return [_effective(metric, rows, confidence) for rows in systems]


def _shares(metric: Metric, rows: Rows, confidence: float) -> Interval:
    assert metric.proportion is not None
    sums = rows.sums
    found = modified_wilson(*metric.proportion(sums), confidence)
    low, high = metric.transform(found.low), metric.transform(found.high)
    return Interval(float(metric.value(sums)), low, high, confidence, found.method)


def _effective(metric: Metric, rows: Rows, confidence: float) -> Interval:
    from scipy.special import ndtri, stdtrit

    assert metric.bounds is not None
    value, n = float(metric.value(rows.sums)), rows.n
    if n < 2 or not math.isfinite(value):
        return Interval(value, math.nan, math.nan, confidence, "effective-wilson")
    low, high = metric.bounds
    upper = tails(confidence)[1]
    wider = float(stdtrit(n - 1, upper) / ndtri(upper))  # few groups: their spread is itself uncertain
    error = _error(jackknife(metric, rows), rows.counts) / (high - low) * wider
    found = effective_wilson((value - low) / (high - low), error, n, confidence)
    return Interval(value, low + found.low * (high - low), low + found.high * (high - low), confidence, found.method)


def _bonett_wright(metric: Metric, rows: Rows, confidence: float) -> Interval:
    value, n = float(metric.value(rows.sums)), rows.n
    variance = (1 + value * value / 2) / (n - 3) if n > 3 and math.isfinite(value) else math.nan
    ends = fisher_interval(value, variance, confidence) if math.isfinite(value) else (math.nan, math.nan)
    return Interval(value, *ends, confidence, "bonett-wright")


def _drawn(systems: Sequence[Rows], n_resamples: int, random_state: int) -> list[Array]:
    """Return the sums of every resample: few rows are drawn as such, many by way of the items, together."""
    if systems and all(rows.cells is not None for rows in systems) and _many_rows(systems):
        return cell_sums([(rows.cells, rows.table) for rows in systems], n_resamples, random_state)  # type: ignore[misc]
    found = []
    for rows in systems:
        counts = rows.counts if len(rows.counts) < rows.n else None
        found.append(distinct_sums(rows.table, counts, n_resamples, random_state) if rows.n else rows.table)
    return found


def _many_rows(systems: Sequence[Rows]) -> bool:
    # Measured, in nanoseconds a resample: 200 for the count of a row, 10 to draw an item, 0.2 to add it to a system.
    n_items = max(len(rows.cells) for rows in systems if rows.cells is not None)
    return 200 * sum(len(rows.counts) for rows in systems) > n_items * (10 + 0.2 * len(systems))


def _cut(metric: Metric, rows: Rows, sums: Array, method: str, confidence: float) -> Interval:
    if not rows.n:
        return Interval(math.nan, math.nan, math.nan, confidence, method)
    value = float(metric.value(rows.sums))
    if method == "percentile":
        return percentile(metric.value(sums), confidence, value)
    return bca(value, metric.value(sums), np.repeat(jackknife(metric, rows), rows.counts), confidence)


def jackknife(metric: Metric, rows: Rows) -> Array:
    """Return the metric without one item of each row, in blocks."""
    total, table = rows.sums, rows.table
    size = max(1, _CELLS // max(1, table.shape[1]))
    parts = [metric.value(total - table[start : start + size]) for start in range(0, len(table), size)]
    return np.concatenate(parts) if parts else np.empty(0)


def _error(left_out: Array, counts: Array) -> float:
    finite = np.isfinite(left_out)
    values, often = left_out[finite], counts[finite]
    n = int(often.sum())
    if not n:
        return math.nan
    mean = float(often @ values) / n
    return math.sqrt((n - 1) / n * float(often @ (values - mean) ** 2))
