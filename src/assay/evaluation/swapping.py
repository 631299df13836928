"""Swap two systems' answers item by item, for all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics import Metric
from assay.statistics import distinct_rows

_BLOCK = 4_000_000


def swapped_differences(
    metric: Metric, tables: Sequence[Array], n_permutations: int, random_state: int
) -> Iterator[tuple[int, int, Array]]:
    """Yield, for each pair of systems, the differences of the metric after random swaps.

    With m the rows that stay, a system's sums become m·A + (1 − m)·B: one product m·S for each system
    serves every pair it is in.
    """
    totals = [table.sum(axis=0, dtype=np.float64) for table in tables]
    if _few_cells(tables):
        for a, b in combinations(range(len(tables)), 2):
            moved = _moved(tables[a], tables[b], n_permutations, random_state)
            yield a, b, metric.value(totals[b] + moved) - metric.value(totals[a] - moved)
        return
    stayed = np.split(_stayed(np.hstack(tables), n_permutations, random_state), len(tables), axis=1)
    for a, b in combinations(range(len(tables)), 2):
        moved = stayed[a] - stayed[b]
        yield a, b, metric.value(totals[b] + moved) - metric.value(totals[a] - moved)


def _few_cells(tables: Sequence[Array]) -> bool:
    # Measured, in nanoseconds a swap: 100 to draw how many items of a cell stay, 5 to draw and add an item.
    if len(tables) < 2:
        return False
    n_cells, n_pairs = len(distinct_rows(np.hstack(tables[:2]))[0]), len(tables) * (len(tables) - 1) // 2
    return 100 * n_cells * n_pairs < 5 * len(tables[0])


def _moved(first: Array, second: Array, n_permutations: int, random_state: int) -> Array:
    """Return m·(A − B) by way of cells: of items with the same statistics, a binomial number stays."""
    unlike = np.any(first != second, axis=1)
    rows, counts = distinct_rows(np.hstack([first[unlike], second[unlike]]))
    stay = np.random.default_rng(random_state).binomial(counts, 0.5, size=(n_permutations, len(counts)))
    width = first.shape[1]
    moved: Array = stay @ (rows[:, :width].astype(np.float64) - rows[:, width:])
    return moved


def _stayed(table: Array, n_permutations: int, random_state: int) -> Array:
    generator = np.random.default_rng(random_state)
    whole = bool((table == np.rint(table)).all()) and float(np.abs(table).max(initial=0)) * len(table) < 2**24
    kind = np.float32 if whole else np.float64
    table = np.ascontiguousarray(table, dtype=kind)
    rows, parts = max(1, _BLOCK // max(1, len(table))), []
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        kept = generator.integers(2, size=(size, len(table)), dtype=np.int8).astype(kind)
        parts.append((kept @ table).astype(np.float64))
    return np.concatenate(parts)
