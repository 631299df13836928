"""Swap two systems' answers item by item, for all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from assay.evaluation.metrics import Metric
from assay.evaluation.predictions import Array

_BLOCK = 4_000_000


def swapped_differences(
    metric: Metric, tables: Sequence[Array], n_permutations: int, random_state: int
) -> Iterator[tuple[int, int, Array]]:
    """Yield, for each pair of systems, the differences of the metric after random swaps.

    With m the rows that stay, a system's sums become m·A + (1 − m)·B: one product m·S for each system
    serves every pair it is in.
    """
    totals = [table.sum(axis=0, dtype=np.float64) for table in tables]
    stayed = np.split(_stayed(np.hstack(tables), n_permutations, random_state), len(tables), axis=1)
    for a, b in combinations(range(len(tables)), 2):
        moved = stayed[a] - stayed[b]
        yield a, b, metric.value(totals[b] + moved) - metric.value(totals[a] - moved)


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
