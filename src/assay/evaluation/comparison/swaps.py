"""Swap two systems' answers item by item, for all pairs of systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.scoring.workers import Workers
from assay.metrics import Metric
from assay.statistics import distinct_rows, paired_permutation

BLOCK_SIZE = 4_000_000  # swaps at a time
TOLERANCE = 1e-12  # sums of the same numbers differ by rounding


def compute_swap_p_values(
    metric: Metric,
    tables: Sequence[Array],
    n_permutations: int,
    random_state: int,
    workers: Workers | None = None,
    n_firsts: int | None = None,
) -> Array:
    """Return the two-sided p of every pair of systems (a, b), a before b, for their statistics.

    Only pairs whose first system is among the first `n_firsts` are tested; by default all.
    Means of one number per item have an exact or quicker test of their own.
    """
    workers, n_systems = workers or Workers(), len(tables)
    n_firsts = n_systems - 1 if n_firsts is None else n_firsts
    p = np.full((n_firsts, n_systems), np.nan)
    tasks: list[tuple[Any, ...]]
    n_pairs = n_firsts * (2 * n_systems - n_firsts - 1) // 2
    n_draws = n_permutations * len(tables[0]) * n_pairs
    if metric.tests_means and all((table[:, 1] == 1).all() for table in tables):
        columns = [np.ascontiguousarray(table[:, 0]) for table in tables]
        tasks = [(columns[a], columns[a + 1 :], n_permutations, random_state) for a in range(n_firsts)]
        rows = workers.run(_test_means, tasks, n_draws)
    elif has_few_cells(tables):
        tasks = [(metric, tables[a], tables[a + 1 :], n_permutations, random_state) for a in range(n_firsts)]
        rows = workers.run(_test_cells, tasks, n_draws)
    else:
        kept = np.split(sum_kept_rows(np.hstack(tables), n_permutations, random_state), n_systems, axis=1)
        totals = [_sum_rows(table) for table in tables]
        tasks = [(metric, totals[a:], kept[a:]) for a in range(n_firsts)]
        rows = workers.run(_test_kept, tasks, n_permutations * n_pairs)
    for a, row in enumerate(rows):
        p[a, a + 1 :] = row
    return p


def has_few_cells(tables: Sequence[Array]) -> bool:
    """Return whether counting items with the same statistics is quicker than swapping every item."""
    # Measurements, in nanoseconds per swap: 100 to draw how many items of a cell stay, 5 to draw and add an item.
    if len(tables) < 2:
        return False
    n_cells, n_pairs = len(distinct_rows(np.hstack(tables[:2]))[0]), len(tables) * (len(tables) - 1) // 2
    return 100 * n_cells * n_pairs < 5 * len(tables[0])


def sum_kept_rows(table: Array, n_permutations: int, random_state: int) -> Array:
    """Return the sums of the rows that are not swapped, for every permutation: one product for all systems."""
    generator = np.random.default_rng(random_state)
    whole = bool((table == np.rint(table)).all()) and float(np.abs(table).max(initial=0)) * len(table) < 2**24
    kind = np.float32 if whole else np.float64
    table = np.ascontiguousarray(table, dtype=kind)
    rows, parts = max(1, BLOCK_SIZE // max(1, len(table))), []
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        kept = generator.integers(2, size=(size, len(table)), dtype=np.int8).astype(kind)
        parts.append((kept @ table).astype(np.float64))
    return np.concatenate(parts)


def sum_moved_cells(first: Array, second: Array, n_permutations: int, random_state: int) -> Array:
    """Return what a system's sums gain in every permutation, where items with the same statistics are drawn together.

    With m the rows that stay, the sums of the second become m·A + (1 − m)·B = B + m·(A − B).
    """
    unlike = np.any(first != second, axis=1)
    rows, counts = distinct_rows(np.hstack([first[unlike], second[unlike]]))
    stay = np.random.default_rng(random_state).binomial(counts, 0.5, size=(n_permutations, len(counts)))
    width = first.shape[1]
    return np.asarray(stay @ (rows[:, :width].astype(np.float64) - rows[:, width:]))


def compute_differences(metric: Metric, first: Array, second: Array, moved: Array) -> Array:
    """Return the differences of the metric after swaps, given both systems' sums and what moves between them."""
    return metric.compute_value(second + moved) - metric.compute_value(first - moved)


def _test_means(first: Array, others: Sequence[Array], n_permutations: int, random_state: int) -> list[float]:
    return [paired_permutation(first, other, n_permutations, random_state).p for other in others]


def _test_cells(
    metric: Metric, first: Array, others: Sequence[Array], n_permutations: int, random_state: int
) -> list[float]:
    moved = (sum_moved_cells(first, other, n_permutations, random_state) for other in others)
    return _test_moved(metric, _sum_rows(first), [_sum_rows(other) for other in others], moved)


def _test_kept(metric: Metric, totals: Sequence[Array], kept: Sequence[Array]) -> list[float]:
    return _test_moved(metric, totals[0], totals[1:], (kept[0] - other for other in kept[1:]))


def _test_moved(metric: Metric, first: Array, others: Sequence[Array], moved: Iterable[Array]) -> list[float]:
    return [
        _compute_p(metric, first, other, compute_differences(metric, first, other, sums))
        for other, sums in zip(others, moved, strict=True)
    ]


def _compute_p(metric: Metric, first: Array, second: Array, differences: Array) -> float:
    observed = abs(float(metric.compute_value(first)) - float(metric.compute_value(second))) - TOLERANCE
    finite = differences[np.isfinite(differences)]
    if not np.isfinite(observed) or not len(finite):
        return float("nan")
    return float((1 + (np.abs(finite) >= observed).sum()) / (1 + len(finite)))


def _sum_rows(table: Array) -> Array:
    return np.asarray(table.sum(axis=0, dtype=np.float64))
