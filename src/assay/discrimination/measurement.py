"""One measurement: what every system scored on one (benchmark, dataset, metric)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array


@dataclass(frozen=True, eq=False)
class Measurement:
    """Scores of systems on one dataset by one metric, on the percent scale, best possible value `upper`."""

    benchmark: str
    dataset: str
    metric: str
    systems: tuple[str, ...]
    scores: Array
    n_items: Array | None = None
    upper: float = 100.0
    lower_is_better: bool = False

    def better(self) -> Array:
        """Return the scores with the sign turned where lower is better, so that more is better."""
        return -self.scores if self.lower_is_better else self.scores

    def take(self, rows: Any) -> Measurement:
        """Return the measurement of some of its systems, in the order asked for."""
        rows = np.asarray(rows, dtype=np.int64)
        n_items = None if self.n_items is None else self.n_items[rows]
        systems = tuple(self.systems[row] for row in rows)
        return replace(self, systems=systems, scores=self.scores[rows], n_items=n_items)

    @property
    def key(self) -> tuple[str, str, str]:
        """Name the measurement."""
        return self.benchmark, self.dataset, self.metric


def by_benchmark(measurements: list[Measurement]) -> dict[str, list[Measurement]]:
    """Group measurements by their benchmark, in the order they came."""
    groups: dict[str, list[Measurement]] = {}
    for one in measurements:
        groups.setdefault(one.benchmark, []).append(one)
    return groups


def score_table(measurements: list[Measurement]) -> tuple[list[str], Array]:
    """Return the systems in order of appearance and their scores, systems × measurements.

    More is better in all of it; nan = missing.

    >>> one = Measurement("b", "d", "acc", ("x", "y"), np.array([1.0, 2.0]))
    >>> score_table([one])[1].tolist()
    [[1.0], [2.0]]
    """
    systems = list(dict.fromkeys(system for one in measurements for system in one.systems))
    where = {system: row for row, system in enumerate(systems)}
    table = np.full((len(systems), len(measurements)), np.nan)
    for column, one in enumerate(measurements):
        table[[where[system] for system in one.systems], column] = one.better()
    return systems, table
