"""The data of a critical-difference diagram: mean ranks over datasets, and which systems they cannot tell apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError, unknown_name
from assay.base.results import Result
from assay.statistics import holm


@dataclass(frozen=True)
class CriticalDifference(Result):
    """Friedman's p, Nemenyi's critical difference, mean ranks (1 = best) and cliques of rows not apart."""

    p_friedman: float
    critical_difference: float
    mean_ranks: Array
    cliques: list[list[int]]
    method: str
    n_systems: int
    n_datasets: int
    reason: str | None = None
    p_values: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False, compare=False)


def critical_difference(scores: Any, method: str = "nemenyi", alpha: float = 0.05) -> CriticalDifference:
    """Compare systems over datasets (systems × datasets, more is better) by their ranks.

    `nemenyi` calls two systems apart when their mean ranks differ by the critical difference (Demšar
    2006), `wilcoxon-holm` when Holm's adjusted p of the signed-rank test is below alpha (Benavoli et
    al. 2016). Tied scores share their mean rank.

    >>> critical_difference([[3, 3, 3], [2, 2, 2], [1, 1, 1]]).mean_ranks.tolist()
    [1.0, 2.0, 3.0]
    """
    from scipy.stats import rankdata

    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise UsageError(
            f"scores have shape {table.shape} or missing cells; a full table systems × datasets is needed."
        )
    mean_ranks = np.asarray(rankdata(-table, axis=0)).mean(axis=1)
    k, n = table.shape
    if k < 3 or n < 2:
        reason = f"{k} systems on {n} datasets; Friedman's test needs 3 systems and 2 datasets"
        return CriticalDifference(math.nan, math.nan, mean_ranks, [], method, k, n, reason)
    distance = nemenyi_distance(k, n, alpha)
    p_values = _p_values(table, mean_ranks, method)
    apart = np.abs(mean_ranks[:, None] - mean_ranks) > distance if method == "nemenyi" else p_values < alpha
    return CriticalDifference(
        _friedman(table), distance, mean_ranks, _cliques(mean_ranks, apart), method, k, n, p_values=p_values
    )


def nemenyi_distance(k: int, n: int, alpha: float = 0.05) -> float:
    """Return how far mean ranks of k systems over n datasets must lie apart.

    >>> round(nemenyi_distance(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, k, np.inf)) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def _friedman(table: Array) -> float:
    from scipy.stats import friedmanchisquare

    return math.nan if np.ptp(table, axis=0).max() == 0 else float(friedmanchisquare(*table).pvalue)


def _p_values(table: Array, mean_ranks: Array, method: str) -> Array:
    k, n = table.shape
    first, second = np.triu_indices(k, 1)
    if method == "nemenyi":
        from scipy.stats import studentized_range

        gaps = np.abs(mean_ranks[first] - mean_ranks[second]) / math.sqrt(k * (k + 1) / (6 * n)) * math.sqrt(2)
        values = np.asarray(studentized_range.sf(gaps, k, np.inf)) if k <= 30 else np.full(len(gaps), math.nan)
    elif method == "wilcoxon-holm":
        values = holm([_wilcoxon(table[i], table[j]) for i, j in zip(first, second, strict=True)])
    else:
        raise unknown_name("method", method, ["nemenyi", "wilcoxon-holm"])
    square = np.ones((k, k))
    square[first, second] = square[second, first] = values
    return square


def _wilcoxon(a: Array, b: Array) -> float:
    from scipy.stats import wilcoxon

    return 1.0 if np.array_equal(a, b) else float(wilcoxon(a, b).pvalue)


def _cliques(mean_ranks: Array, apart: Array) -> list[list[int]]:
    """Return the longest runs of neighbours in rank of whom no two are apart."""
    order = np.argsort(mean_ranks, kind="stable")
    runs: list[list[int]] = []
    end = 0
    for start in range(len(order)):
        stop = start + 1
        while stop < len(order) and not apart[order[start : stop + 1]][:, order[start : stop + 1]].any():
            stop += 1
        if stop > end and stop - start > 1:
            runs.append(order[start:stop].tolist())
        end = max(end, stop)
    return runs
