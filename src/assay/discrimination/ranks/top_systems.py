"""Which systems count as the top: the best of each dataset, or the best of the whole benchmark."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.errors import UsageError
from assay.base.registry import Registry
from assay.discrimination.measurements import Measurement, tabulate_scores

TOP_RULES: Registry[Callable[[list[Measurement], int], list[Measurement]]] = Registry("top rule")


def select_top_systems(measurements: list[Measurement], k: int | None, by: str = "dataset") -> list[Measurement]:
    """Keep the top k systems of the measurements of one benchmark; all of them for None."""
    rule = TOP_RULES[by]
    if k is None:
        return measurements
    if k < 1:
        raise UsageError(f"is {k}; at least 1 system must stay, and λ needs 2.", option="top")
    return rule(measurements, k)


@TOP_RULES.add("dataset")
def select_by_dataset(measurements: list[Measurement], k: int) -> list[Measurement]:
    """Keep the k best systems of every measurement; equal scores keep file order."""
    best = [np.argsort(-measurement.signed_scores(), kind="stable")[:k] for measurement in measurements]
    return [measurement.take(np.sort(rows)) for measurement, rows in zip(measurements, best, strict=True)]


@TOP_RULES.add("benchmark")
def select_by_benchmark(measurements: list[Measurement], k: int) -> list[Measurement]:
    """Keep the same k systems everywhere: those with most datasets, then with the best mean score."""
    systems, table = tabulate_scores(measurements)
    n_scores = np.isfinite(table).sum(axis=1)
    with np.errstate(invalid="ignore"):
        means = np.nansum(table, axis=1) / np.maximum(1, n_scores)
    order = np.lexsort((np.arange(len(systems)), -means, -n_scores))[:k]
    chosen = {systems[row] for row in order}
    return [
        measurement.take([row for row, name in enumerate(measurement.systems) if name in chosen])
        for measurement in measurements
    ]
