"""How well the other datasets predict a dataset: what they already say need not be measured again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.discrimination.items import outcome_table
from assay.discrimination.threads import one_thread

_PENALTIES = 10.0 ** np.arange(-3, 4)


@dataclass(frozen=True)
class Redundancy(Result):
    """Per dataset: leave-one-system-out R² of a ridge regression on the others, and the nearest other dataset."""

    r_squared: Array
    nearest: Array
    nearest_correlation: Array
    n_systems: int
    n_datasets: int
    reason: str | None = None


@one_thread
def redundancy(scores: Any) -> Redundancy:
    """Predict each dataset's scores from the others' (systems × datasets, complete rows only are used).

    Standardised columns; the ridge penalty is the best of seven by leave-one-out error, in closed form,
    so R² is a little optimistic; it is negative where the others predict worse than the mean.

    >>> x = np.arange(8.0)
    >>> redundancy(np.stack([x, 2 * x, (x - 3) ** 2], axis=1)).r_squared.round(1).tolist()[:2]
    [1.0, 1.0]
    """
    table = outcome_table(scores)
    whole = table[np.isfinite(table).all(axis=1)]
    k, d = whole.shape
    if k < 4 or d < 2:
        reason = f"{k} systems with all of {d} datasets; at least 4 systems and 2 datasets are needed"
        return Redundancy(np.full(d, np.nan), np.full(d, -1), np.full(d, np.nan), k, d, reason)
    deviation = whole.std(axis=0)
    alive = deviation > 0
    z = np.divide(whole - whole.mean(axis=0), deviation, out=np.zeros_like(whole), where=alive)
    r = np.array([_left_out(z, column) if alive[column] else np.nan for column in range(d)])
    nearest, correlation = _nearest(z, alive)
    return Redundancy(r, nearest, correlation, k, d)


def _left_out(z: Array, column: int) -> float:
    """Return the best leave-one-out R² over the penalties: errors are residuals over 1 − leverage."""
    others, target = np.delete(z, column, axis=1), z[:, column]
    left, values, _ = np.linalg.svd(others, full_matrices=False)
    n = len(target)
    base = float(((target - target.mean()) / (1 - 1 / n)) @ ((target - target.mean()) / (1 - 1 / n)))
    errors = []
    for penalty in _PENALTIES * n:
        shrink = values**2 / (values**2 + penalty)
        leverage = (left**2 * shrink).sum(axis=1) + 1 / n
        residual = target - left @ (shrink * (left.T @ target))
        errors.append(float(((residual / np.maximum(1 - leverage, 1e-9)) ** 2).sum()))
    return 1 - min(errors) / base


def _nearest(z: Array, alive: Array) -> tuple[Array, Array]:
    correlation = z.T @ z / len(z)
    np.fill_diagonal(correlation, -np.inf)
    correlation[~alive] = correlation[:, ~alive] = -np.inf
    nearest = correlation.argmax(axis=1)
    value = correlation[np.arange(len(nearest)), nearest]
    none = ~np.isfinite(value)
    return np.where(none, -1, nearest), np.where(none, np.nan, value)
