"""An interval for any metric of any number of systems.

`auto` takes what held the truth best (benchmarks/coverage.py): Wilson's interval for shares and for F1,
Wilson's at the effective sample size of the jackknife for other bounded metrics, BCa for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from assay.errors import unknown
from assay.evaluation.metrics.base import Array, Metric
from assay.statistics import Interval, bca, bootstrap_sums, effective_wilson, percentile, wilson
from assay.statistics.bootstrap import group_sums
from assay.statistics.interval import tails
from assay.statistics.spearman import fisher_interval

METHODS = ("auto", "wilson", "bca", "percentile")
_CELLS = 30_000_000  # statistics multiplied at a time


def intervals(
    metric: Metric,
    tables: Sequence[Array],
    *,
    groups: Array | None = None,
    method: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> list[Interval]:
    """Return a metric and its interval for each system, given the systems' per-item statistics.

    With groups, groups and not items are what was drawn from the world: they are left out or resampled whole.
    """
    if method not in METHODS:
        raise unknown("interval", method, METHODS)
    if groups is not None:
        tables = [group_sums(table, groups) for table in tables]
    if method == "auto" and metric.name == "spearman" and groups is None:
        return [_bonett_wright(metric, table, confidence) for table in tables]
    if method in ("bca", "percentile") or metric.bounds is None:
        chosen = "bca" if method in ("auto", "wilson") else method
        return list(_bootstrapped(metric, tables, chosen, confidence, n_resamples, random_state))
    if metric.proportion is not None and groups is None:
        return [_shares(metric, table, confidence) for table in tables]
    return [_effective(metric, table, confidence) for table in tables]


def _shares(metric: Metric, table: Array, confidence: float) -> Interval:
    assert metric.proportion is not None
    sums = table.sum(axis=0, dtype=np.float64)
    found = wilson(*metric.proportion(sums), confidence)
    low, high = metric.transform(found.low), metric.transform(found.high)
    return Interval(float(metric.value(sums)), low, high, confidence, "wilson")


def _effective(metric: Metric, table: Array, confidence: float) -> Interval:
    from scipy.stats import norm, t

    assert metric.bounds is not None
    table = table[np.any(table != 0, axis=1)]
    value, n = float(metric.value(table.sum(axis=0, dtype=np.float64))), len(table)
    if n < 2 or not math.isfinite(value):
        return Interval(value, math.nan, math.nan, confidence, "effective-wilson")
    low, high = metric.bounds
    upper = tails(confidence)[1]
    wider = float(t.ppf(upper, n - 1) / norm.ppf(upper))  # few groups: their spread is itself uncertain
    error = _error(jackknife(metric, table)) / (high - low) * wider
    found = effective_wilson((value - low) / (high - low), error, n, confidence)
    return Interval(value, low + found.low * (high - low), low + found.high * (high - low), confidence, found.method)


def _bonett_wright(metric: Metric, table: Array, confidence: float) -> Interval:
    value, n = float(metric.value(table.sum(axis=0))), int(table[:, 0].sum())
    variance = (1 + value * value / 2) / (n - 3) if n > 3 and math.isfinite(value) else math.nan
    ends = fisher_interval(value, variance, confidence) if math.isfinite(value) else (math.nan, math.nan)
    return Interval(value, *ends, confidence, "bonett-wright")


def _bootstrapped(
    metric: Metric, tables: Sequence[Array], method: str, confidence: float, n_resamples: int, random_state: int
) -> Iterator[Interval]:
    for part in _portions(tables):
        sums = bootstrap_sums(np.hstack(part), n_resamples, random_state)
        for table, resampled in zip(part, np.split(sums, len(part), axis=1), strict=True):
            value, values = float(metric.value(table.sum(axis=0, dtype=np.float64))), metric.value(resampled)
            if method == "percentile":
                yield percentile(values, confidence, value)
            else:
                yield bca(value, values, jackknife(metric, table[np.any(table != 0, axis=1)]), confidence)


def _portions(tables: Sequence[Array]) -> Iterator[Sequence[Array]]:
    size = max(1, _CELLS // max(1, tables[0].size)) if tables else 1
    for start in range(0, len(tables), size):
        yield tables[start : start + size]


def jackknife(metric: Metric, table: Array) -> Array:
    """Return the metric without each row, in blocks."""
    total = table.sum(axis=0, dtype=np.float64)
    rows = max(1, _CELLS // 10 // max(1, table.shape[1]))
    parts = [metric.value(total - table[start : start + rows]) for start in range(0, len(table), rows)]
    return np.concatenate(parts) if parts else np.empty(0)


def _error(left_out: Array) -> float:
    finite = left_out[np.isfinite(left_out)]
    n = len(finite)
    return math.sqrt((n - 1) / n * float(((finite - finite.mean()) ** 2).sum())) if n else math.nan
