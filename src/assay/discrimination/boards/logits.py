"""The table of systems and datasets on the logit scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.measurements import Measurement

MARGIN = 0.5  # percent points: scores beyond are moved to this distance from 0 and 100
MIN_SYSTEMS, MIN_DATASETS = 8, 3


@dataclass(frozen=True, eq=False)
class LogitTable:
    """Logits of percent scores, systems × datasets, nan = missing; datasets on other scales are left out."""

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    values: Array
    n_left_out: int

    def explain_too_small(self) -> str | None:
        """Say why the table is too small to be analysed, or None."""
        n, d = self.values.shape
        if n >= MIN_SYSTEMS and d >= MIN_DATASETS:
            return None
        return f"{n} systems and {d} datasets in percent; at least {MIN_SYSTEMS} and {MIN_DATASETS} are needed"


def to_logit(percent: Array) -> Array:
    """Return the logits of percents; those near 0 and 100 are moved to the margin.

    >>> to_logit(np.array([50.0])).tolist()
    [0.0]
    """
    share = np.clip(percent, MARGIN, 100 - MARGIN) / 100
    return np.asarray(np.log(share / (1 - share)))


def to_percent(logits: Array) -> Array:
    """Return the percents of logits.

    >>> to_percent(np.array([0.0])).tolist()
    [50.0]
    """
    return np.asarray(100 / (1 + np.exp(-np.asarray(logits))))


def tabulate_logits(measurements: Sequence[Measurement]) -> LogitTable:
    """Return the logits of all percent scores, reversed if lower is better; constant datasets are left out.

    Systems need scores on two datasets.
    """
    usable = [row for row in measurements if row.is_percent and len(row.scores) > 1 and np.ptp(row.scores) > 0]
    systems = list(dict.fromkeys(system for row in usable for system in row.systems))
    places = {system: place for place, system in enumerate(systems)}
    values = np.full((len(systems), len(usable)), np.nan)
    for column, row in enumerate(usable):
        upwards = 100 - row.scores if row.lower_is_better else row.scores
        values[[places[system] for system in row.systems], column] = to_logit(upwards)
    kept = np.flatnonzero(np.isfinite(values).sum(axis=1) >= 2)
    metrics = {row.metric for row in usable}
    names = tuple(row.dataset if len(metrics) == 1 else row.title for row in usable)
    n_left_out = len(measurements) - len(usable)
    return LogitTable(tuple(systems[row] for row in kept), names, values[kept], n_left_out)
