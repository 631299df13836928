"""How far the datasets of a benchmark order systems alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.boards.draws import start_generator
from assay.discrimination.measurements import Measurement, tabulate_scores
from assay.statistics import Interval, kendall
from assay.views.results import Result

MAX_PAIRS = 20_000
MIN_COMMON = 5


@dataclass(frozen=True)
class DatasetAgreement(Result):
    """Kendall's τ-b of a dataset's order with the mean of all others, and its mean τ with each of them.

    The interval is over systems; `spread` is σ / mean · √(share of pairs of systems more than one point apart).
    """

    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    tau: Interval
    mean_tau: float
    spread: float
    n_systems: int
    reason: str | None = field(default=None, metadata=OWN)


def measure_agreement(measurements: Sequence[Measurement], random_state: int = 0) -> tuple[DatasetAgreement, ...]:
    """Compare the order of systems on every dataset with that on the others.

    Columns are standardised before they are averaged; systems without a score are left out of a comparison.
    """
    if len(measurements) < 2:
        return ()
    systems, table = tabulate_scores(measurements)
    deviation = np.nanstd(table, axis=0)
    z = (table - np.nanmean(table, axis=0)) / np.where(deviation > 0, deviation, 1.0)
    known = np.isfinite(z)
    sums, counts = np.where(known, z, 0.0).sum(axis=1), known.sum(axis=1)
    pairwise = _correlate_pairs(z, random_state)
    rows = []
    for column, measurement in enumerate(measurements):
        others = counts - known[:, column]
        rest = np.divide(
            sums - np.where(known[:, column], z[:, column], 0.0),
            others,
            out=np.full(len(systems), np.nan),
            where=others > 0,
        )
        correlation = kendall(z[:, column], np.round(rest, 12))
        every_other = np.delete(pairwise[column], column)
        usable = every_other[np.isfinite(every_other)]
        rows.append(
            DatasetAgreement(
                dataset=measurement.dataset,
                metric=measurement.metric,
                tau=Interval(correlation.value, correlation.low, correlation.high),
                mean_tau=float(usable.mean()) if len(usable) else float("nan"),
                spread=_measure_spread(measurement),
                n_systems=correlation.n,
                reason=correlation.reason,
            )
        )
    return tuple(rows)


def _correlate_pairs(z: Array, random_state: int) -> Array:
    """Return τ-b between all columns, over the pairs of systems that both columns have, or a sample of pairs."""
    n, d = z.shape
    first, second = np.triu_indices(n, 1) if n * (n - 1) // 2 <= MAX_PAIRS else _draw_pairs(n, random_state)
    gaps = np.round(z[first] - z[second], 9)
    known = np.isfinite(gaps)
    signs = np.where(known, np.sign(np.where(known, gaps, 0.0)), 0.0)
    squares = (signs**2).T @ known.astype(float)
    common = known.T.astype(float) @ known.astype(float)
    size = np.sqrt(squares * squares.T)
    enough = (size > 0) & (common >= MIN_COMMON)
    return np.divide(signs.T @ signs, size, out=np.full((d, d), np.nan), where=enough)


def _draw_pairs(n: int, random_state: int) -> tuple[Array, Array]:
    first, second = start_generator(random_state).integers(n, size=(2, 2 * MAX_PAIRS))
    differs = first != second
    return first[differs][:MAX_PAIRS], second[differs][:MAX_PAIRS]


def _measure_spread(measurement: Measurement) -> float:
    """Return the discriminability of Benchmark² (2026), with pairs of systems more than one point apart."""
    scores = measurement.scores
    if not measurement.is_percent or len(scores) < 2 or scores.mean() <= 0:
        return float("nan")
    ordered = np.sort(scores)
    close = np.searchsorted(ordered, ordered + 1.0, side="right") - np.arange(1, len(ordered) + 1)
    n_pairs = len(ordered) * (len(ordered) - 1) / 2
    return float(scores.std(ddof=1) / scores.mean() * np.sqrt(1 - close.sum() / n_pairs))
