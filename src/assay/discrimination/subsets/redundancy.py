"""How well the other datasets predict a dataset: what they already show need not be measured again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.discrimination.columns import ARRAY, ColumnResult
from assay.discrimination.datasets import DatasetDiscrimination
from assay.discrimination.items.outcome_tables import to_outcome_table
from assay.discrimination.measurements import Measurement, tabulate_scores
from assay.tasks.threads import use_one_thread

PENALTIES = 10.0 ** np.arange(-3, 4)
MIN_SYSTEMS, MIN_DATASETS = 4, 2


@dataclass(frozen=True)
class Redundancy(ColumnResult):
    """Per dataset: leave-one-system-out R² of a ridge regression on the others, and the nearest other dataset.

    `nearest` is a column number, −1 if there is none.
    """

    _columns: ClassVar[tuple[str, ...]] = ("r_squared", "nearest", "nearest_correlation")

    n_systems: int
    n_datasets: int
    r_squared: Array = field(repr=False, compare=False, metadata=ARRAY)
    nearest: Array = field(repr=False, compare=False, metadata=ARRAY)
    nearest_correlation: Array = field(repr=False, compare=False, metadata=ARRAY)
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_redundancy(scores: ArrayLike) -> Redundancy:
    """Predict the scores on each dataset from those on the others (systems × datasets, complete rows only).

    Standardised columns; the ridge penalty is the best of seven by leave-one-out error, in closed form, so R² is
    slightly optimistic; it is negative if the others predict worse than the mean.

    >>> x = np.arange(8.0)
    >>> measure_redundancy(np.stack([x, 2 * x, (x - 3) ** 2], axis=1)).r_squared.round(1).tolist()[:2]
    [1.0, 1.0]
    """
    table = to_outcome_table(scores)
    complete = table[np.isfinite(table).all(axis=1)]
    k, d = complete.shape
    if k < MIN_SYSTEMS or d < MIN_DATASETS:
        reason = f"{k} systems with all of {d} datasets; at least 4 systems and 2 datasets are needed"
        undefined = np.full(d, np.nan)
        return Redundancy(k, d, undefined, np.full(d, -1), undefined, reason)
    deviation = complete.std(axis=0)
    varies = deviation > 0
    z = np.divide(complete - complete.mean(axis=0), deviation, out=np.zeros_like(complete), where=varies)
    r_squared = np.where(varies, _predict_columns(z), np.nan)
    return Redundancy(k, d, r_squared, *_find_nearest(z, varies))


def add_redundancy(
    rows: Sequence[DatasetDiscrimination], measurements: Sequence[Measurement]
) -> list[DatasetDiscrimination]:
    """Add to the rows of one benchmark how well the other datasets predict each, and the nearest one."""
    _, table = tabulate_scores(measurements)
    redundancy = measure_redundancy(table)
    return [
        replace(
            row,
            redundancy=float(redundancy.r_squared[number]),
            nearest=None if nearest < 0 else measurements[nearest].title,
            nearest_correlation=float(redundancy.nearest_correlation[number]),
        )
        for number, (row, nearest) in enumerate(zip(rows, redundancy.nearest.tolist(), strict=True))
    ]


def _predict_columns(z: Array) -> Array:
    """Return for every column the best leave-one-out R² over the penalties of a ridge regression on the others.

    The regression without column j has the Gram matrix Z Zᵀ − z zᵀ. With G = (Z Zᵀ + a I)⁻¹, g = G z and q = zᵀ g its
    residuals are a g / (1 − q) and one minus its leverages a (diag G + g² / (1 − q)), by Sherman and Morrison.
    """
    n = len(z)
    left, values, right = np.linalg.svd(z, full_matrices=False)
    outside = np.maximum(1 - (left**2).sum(axis=1), 0.0)  # of each system, outside the span of the datasets
    base = ((z / (1 - 1 / n)) ** 2).sum(axis=0)  # squared leave-one-out errors of the mean, as columns have mean 0
    errors = np.full(z.shape[1], np.inf)
    for penalty in PENALTIES * n:
        g = left @ ((values / (values**2 + penalty))[:, None] * right)
        diagonal = (left**2) @ (1 / (values**2 + penalty)) + outside / penalty
        rest = 1 - (z * g).sum(axis=0)
        residuals = penalty * g / rest
        freedom = penalty * (diagonal[:, None] + g**2 / rest) - 1 / n
        errors = np.minimum(errors, ((residuals / np.maximum(freedom, 1e-9)) ** 2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1 - errors / base)


def _find_nearest(z: Array, varies: Array) -> tuple[Array, Array]:
    correlation = z.T @ z / len(z)
    np.fill_diagonal(correlation, -np.inf)
    correlation[~varies] = correlation[:, ~varies] = -np.inf
    nearest = correlation.argmax(axis=1)
    value = correlation[np.arange(len(nearest)), nearest]
    missing = ~np.isfinite(value)
    return np.where(missing, -1, nearest), np.where(missing, np.nan, value)
