"""The data of a critical-difference diagram: mean ranks over datasets, and groups of systems that are not different."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError, unknown_name
from assay.base.marks import NAME, OWN
from assay.discrimination.columns import ARRAY
from assay.discrimination.ranks.ranking import name_rows
from assay.statistics import holm
from assay.views.results import Result

METHODS = ("nemenyi", "wilcoxon-holm")
MAX_NEMENYI_SYSTEMS = 30  # beyond, p-values of the studentized range take too long; the distance needs none


@dataclass(frozen=True)
class CriticalDifference(Result):
    """Friedman's p, Nemenyi's critical difference, mean rank by system (1 = best) and cliques of equal systems."""

    p_friedman: float
    critical_difference: float
    mean_ranks: dict[str, float] = field(metadata=NAME)
    cliques: tuple[tuple[str, ...], ...] = field(metadata=NAME)
    n_datasets: int
    reason: str | None = field(default=None, metadata=OWN)
    method: str = field(default="nemenyi", metadata={"json": False, **OWN})
    p_values: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False, compare=False, metadata=ARRAY)

    def _frame(self) -> pl.DataFrame:
        """Return one row per system, the best first."""
        rows = sorted(self.mean_ranks.items(), key=lambda pair: pair[1])
        return pl.DataFrame(rows, schema={"system": pl.String, "mean_rank": pl.Float64}, orient="row")


def compare_mean_ranks(
    scores: ArrayLike, method: str = "nemenyi", alpha: float = 0.05, systems: Sequence[str] | None = None
) -> CriticalDifference:
    """Compare systems over datasets (systems × datasets, more is better) by their ranks.

    With `nemenyi` two systems differ when their mean ranks differ by the critical difference (Demšar 2006), with
    `wilcoxon-holm` when Holm's adjusted p of the signed-rank test is below alpha (Benavoli et al. 2016). Tied scores
    share their mean rank.

    >>> compare_mean_ranks([[3, 3, 3], [2, 2, 2], [1, 1, 1]]).mean_ranks
    {'0': 1.0, '1': 2.0, '2': 3.0}
    """
    from scipy.stats import rankdata

    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise UsageError(
            f"have shape {table.shape} or missing cells; a full table systems × datasets is needed.", option="scores"
        )
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    names = name_rows(systems, len(table))
    mean_ranks = np.asarray(rankdata(-table, axis=0)).mean(axis=1)
    by_name = dict(zip(names, mean_ranks.tolist(), strict=True))
    k, n = table.shape
    if k < 3 or n < 2:
        reason = f"{k} systems on {n} datasets; Friedman's test needs 3 systems and 2 datasets"
        return CriticalDifference(math.nan, math.nan, by_name, (), n, reason, method)
    distance = compute_nemenyi_distance(k, n, alpha)
    p_values = _compute_p_values(table, mean_ranks, method)
    different = np.abs(mean_ranks[:, None] - mean_ranks) > distance if method == "nemenyi" else p_values < alpha
    cliques = tuple(tuple(names[row] for row in rows) for rows in _find_cliques(mean_ranks, different))
    return CriticalDifference(_test_friedman(table), distance, by_name, cliques, n, None, method, p_values)


def compute_nemenyi_distance(k: int, n: int, alpha: float = 0.05) -> float:
    """Return by how much mean ranks of k systems over n datasets must differ.

    >>> round(compute_nemenyi_distance(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, k, np.inf)) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def _test_friedman(table: Array) -> float:
    from scipy.stats import friedmanchisquare

    return math.nan if np.ptp(table, axis=0).max() == 0 else float(friedmanchisquare(*table).pvalue)


def _compute_p_values(table: Array, mean_ranks: Array, method: str) -> Array:
    k, n = table.shape
    first, second = np.triu_indices(k, 1)
    if method == "nemenyi":
        from scipy.stats import studentized_range

        gaps = np.abs(mean_ranks[first] - mean_ranks[second]) / math.sqrt(k * (k + 1) / (6 * n)) * math.sqrt(2)
        known = k <= MAX_NEMENYI_SYSTEMS
        values = np.asarray(studentized_range.sf(gaps, k, np.inf)) if known else np.full(len(gaps), math.nan)
    else:
        values = holm([_test_wilcoxon(table[i], table[j]) for i, j in zip(first, second, strict=True)])
    square = np.ones((k, k))
    square[first, second] = square[second, first] = values
    return square


def _test_wilcoxon(a: Array, b: Array) -> float:
    from scipy.stats import wilcoxon

    return 1.0 if np.array_equal(a, b) else float(wilcoxon(a, b).pvalue)


def _find_cliques(mean_ranks: Array, different: Array) -> list[list[int]]:
    """Return the longest runs of neighbours in rank that contain no pair of different systems."""
    order = np.argsort(mean_ranks, kind="stable")
    sorted_pairs = different[np.ix_(order, order)]
    runs: list[list[int]] = []
    end = 0
    for start in range(len(order)):
        stop = start + 1
        while stop < len(order) and not sorted_pairs[stop, start:stop].any():
            stop += 1
        if stop > end and stop - start > 1:
            runs.append(order[start:stop].tolist())
        end = max(end, stop)
    return runs
