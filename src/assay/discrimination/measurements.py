"""One measurement: the score of every system on one dataset by one metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.scales import MAX_RATING, UNNAMED


@dataclass(frozen=True, eq=False, repr=False)
class Measurement:
    """Scores of systems on one dataset by one metric, best possible value `upper`, nan if there is none.

    Scores are percents, except with `is_percent` False: then they are on a scale of their own, such as ratings.
    """

    benchmark: str
    dataset: str
    metric: str
    systems: tuple[str, ...]
    scores: Array
    n_items: Array | None = None
    upper: float = 100.0
    lower_is_better: bool = False
    is_percent: bool = True
    standard_errors: Array | None = None  # of the scores, if the table has them

    @property
    def key(self) -> tuple[str, str, str]:
        """The names that identify the measurement."""
        return self.benchmark, self.dataset, self.metric

    @property
    def title(self) -> str:
        """The dataset with its metric."""
        return f"{self.dataset} ({self.metric})"

    def signed_scores(self) -> Array:
        """Return the scores with their sign changed if lower is better, so that more is better."""
        return -self.scores if self.lower_is_better else self.scores

    def take(self, rows: object) -> Measurement:
        """Return the measurement of some of its systems, by row numbers."""
        rows = np.asarray(rows, dtype=np.int64)
        n_items = None if self.n_items is None else self.n_items[rows]
        errors = None if self.standard_errors is None else self.standard_errors[rows]
        systems = tuple(self.systems[row] for row in rows)
        return replace(self, systems=systems, scores=self.scores[rows], n_items=n_items, standard_errors=errors)

    def __repr__(self) -> str:
        return f"Measurement({' / '.join(self.key)}: scores of {len(self.systems)} systems)"


def share_one_scale(measurements: Sequence[Measurement]) -> bool:
    """Return whether scores have a mean: all percents, or all of one other metric, and one direction.

    >>> accuracy = Measurement("b", "d", "acc", ("x",), np.array([1.0]))
    >>> share_one_scale([accuracy, replace(accuracy, metric="wer", lower_is_better=True)])
    False
    """
    return len({(entry.lower_is_better, _name_scale(entry)) for entry in measurements}) <= 1


def _name_scale(entry: Measurement) -> str:
    """Name what the scores of a measurement are: percents, ratings, or those of one metric or unnamed dataset."""
    if entry.is_percent:
        return "percent"
    if entry.metric != UNNAMED:
        return f"metric {entry.metric}"
    is_rating = len(entry.scores) and np.nanmin(entry.scores) >= 0 and np.nanmax(entry.scores) <= MAX_RATING
    return "rating" if is_rating else f"dataset {entry.dataset}"


def group_by_benchmark(measurements: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    """Group measurements by their benchmark, in input order."""
    groups: dict[str, list[Measurement]] = {}
    for measurement in measurements:
        groups.setdefault(measurement.benchmark, []).append(measurement)
    return groups


def tabulate_scores(measurements: Sequence[Measurement]) -> tuple[list[str], Array]:
    """Return the systems in order of appearance and their scores, systems × measurements.

    More is better in every column; nan = missing.

    >>> measurement = Measurement("b", "d", "acc", ("x", "y"), np.array([1.0, 2.0]))
    >>> tabulate_scores([measurement])[1].tolist()
    [[1.0], [2.0]]
    """
    systems = list(dict.fromkeys(system for measurement in measurements for system in measurement.systems))
    rows = {system: row for row, system in enumerate(systems)}
    table = np.full((len(systems), len(measurements)), np.nan)
    for column, measurement in enumerate(measurements):
        table[[rows[system] for system in measurement.systems], column] = measurement.signed_scores()
    return systems, table


def tabulate_by_name(measurements: Sequence[Measurement]) -> tuple[list[Measurement], list[str], Array]:
    """Return measurements and systems sorted by name, and their scores: draws do not depend on the order in the table.

    >>> measurement = Measurement("b", "d", "acc", ("y", "x"), np.array([1.0, 2.0]))
    >>> tabulate_by_name([measurement])[1]
    ['x', 'y']
    """
    ordered = sorted(measurements, key=lambda measurement: measurement.key)
    systems, table = tabulate_scores(ordered)
    rows = sorted(range(len(systems)), key=systems.__getitem__)
    return ordered, [systems[row] for row in rows], table[rows]
