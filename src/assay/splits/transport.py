"""Exact assignment of rows to folds of fixed sizes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import AssayError
from assay.base.results import Result


@dataclass(frozen=True)
class Transport(Result):
    """A cheapest assignment that fills every quota, and the prices that prove it.

    `dual` is Σ_i min_j (cost_ij + price_j) − Σ_j quota_j price_j, never above the cost of any other assignment.
    """

    primal: float
    dual: float
    n_rows: int
    assigned: NDArray[np.int32] = field(repr=False)
    prices: NDArray[np.float64] = field(repr=False)

    @property
    def gap(self) -> float:
        """Return (primal − dual) / primal, 0 where nothing costs anything."""
        return (self.primal - self.dual) / self.primal if self.primal else 0.0


def transport(costs: ArrayLike, quotas: ArrayLike, prices: ArrayLike | None = None) -> Transport:
    """Assign each row of `costs` (rows × folds) to a fold so that fold j gets quotas[j] rows, at least total cost.

    Good prices, such as those of nearly the same problem, make it faster and change nothing else but which of several
    equally cheap assignments is found (paper 001).

    >>> found = transport([[0, 1], [0, 5], [0, 3]], [1, 2])
    >>> found.assigned.tolist(), found.primal, found.dual
    ([1, 0, 1], 4.0, 4.0)
    """
    from assay.splits._transport_kernels import cheapest, excess, solve

    table = np.asarray(costs)
    sizes = _checked_quotas(table, np.asarray(quotas))
    table = np.ascontiguousarray(table.T, dtype=np.float32 if table.dtype == np.float32 else np.float64)
    start = closed(np.zeros(len(sizes)) if prices is None else np.array(prices, dtype=np.float64), sizes)
    n = table.shape[1]
    assigned, margins = np.zeros(n, np.int32), np.empty(n)
    counts = np.empty(len(sizes), np.int64)
    cheapest(table, start, assigned, margins, counts)
    solve(table, start, sizes, assigned, margins, counts)
    primal, slack = excess(table, start, assigned)
    return Transport(primal, primal - slack, n, assigned, start)


def closed(prices: NDArray[np.float64], quotas: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give folds without a quota an infinite price, and mend infinite prices of folds that have one."""
    return np.where(quotas > 0, np.where(np.isfinite(prices), prices, 0.0), np.inf)


def _checked_quotas(costs: NDArray, quotas: NDArray) -> NDArray[np.int64]:
    if costs.ndim != 2 or quotas.shape != costs.shape[1:]:
        raise AssayError(f"{quotas.size} quotas for costs of shape {costs.shape}; give one a column.")
    if not np.isfinite(costs).all():
        raise AssayError("The costs hold nan or infinity; every row must have a finite cost in every fold.")
    if (quotas < 0).any() or quotas.sum() != len(costs):
        raise AssayError(f"Quotas sum to {quotas.sum()} for {len(costs)} rows; they must be ≥ 0 and sum to the rows.")
    return quotas.astype(np.int64)
