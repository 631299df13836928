"""Which systems count as the top: the best of each dataset, or the best of the whole benchmark."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.registry import Registry
from assay.discrimination.measurement import Measurement, score_table


def of_dataset(measurements: list[Measurement], k: int) -> list[Measurement]:
    """Keep the k best systems of every measurement; equal scores keep file order."""
    return [one.take(np.sort(_best(one.better(), k))) for one in measurements]


def of_benchmark(measurements: list[Measurement], k: int) -> list[Measurement]:
    """Keep the same k systems everywhere: those with most datasets, then with the best mean score."""
    systems, table = score_table(measurements)
    with np.errstate(invalid="ignore"):
        means = np.nansum(table, axis=1) / np.maximum(1, np.isfinite(table).sum(axis=1))
    order = np.lexsort((np.arange(len(systems)), -means, -np.isfinite(table).sum(axis=1)))[:k]
    chosen = {systems[row] for row in order}
    return [one.take([row for row, name in enumerate(one.systems) if name in chosen]) for one in measurements]


TOPS: Registry[Callable[[list[Measurement], int], list[Measurement]]] = Registry(
    "top rule", {"dataset": of_dataset, "benchmark": of_benchmark}
)


def top_systems(measurements: list[Measurement], k: int | None, by: str = "dataset") -> list[Measurement]:
    """Keep the top k systems of the measurements of one benchmark; all of them for None."""
    rule = TOPS[by]
    if k is None:
        return measurements
    if k < 1:
        raise UsageError(f"top is {k}; at least 1 system must stay, and λ needs 2.")
    return rule(measurements, k)


def _best(better: Array, k: int) -> Array:
    return np.argsort(-better, kind="stable")[:k]
