"""Exact assignment of rows to folds of fixed sizes: the transportation problem inside each iteration of K-means."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import AssayError
from assay.views.results import Result


@dataclass(frozen=True)
class TransportPlan(Result):
    """A cheapest assignment that fills every quota, and the prices that prove it.

    `dual` is Σ_i min_j (cost_ij + price_j) − Σ_j quota_j price_j, which no assignment can undercut.
    """

    primal: float
    dual: float
    n_rows: int
    assigned: NDArray[np.int32] = field(repr=False, compare=False, metadata={"json": False})
    prices: NDArray[np.float64] = field(repr=False, compare=False, metadata={"json": False})

    @property
    def gap(self) -> float:
        """Return (primal − dual) / primal, 0 if all costs are 0."""
        return (self.primal - self.dual) / self.primal if self.primal else 0.0


def solve_transport(costs: ArrayLike, quotas: ArrayLike, prices: ArrayLike | None = None) -> TransportPlan:
    """Assign each row of `costs` (rows × folds) to a fold so that fold j gets quotas[j] rows, at least total cost.

    Good initial prices, such as the prices of a similar problem, make it faster; they can only change which of several
    equally cheap assignments is returned.

    >>> plan = solve_transport([[0, 1], [0, 5], [0, 3]], [1, 2])
    >>> plan.assigned.tolist(), plan.primal, plan.dual
    ([1, 0, 1], 4.0, 4.0)
    """
    from assay.splits.kmeans.transport_kernels import assign_cheapest, measure_slack, solve_label

    table = np.asarray(costs)
    sizes = _check_quotas(table, np.asarray(quotas))
    table = np.ascontiguousarray(table.T, dtype=np.float32 if table.dtype == np.float32 else np.float64)
    initial = np.zeros(len(sizes)) if prices is None else np.array(prices, dtype=np.float64)
    final = close_empty_folds(initial, sizes)
    n = table.shape[1]
    assigned, margins = np.zeros(n, np.int32), np.empty(n)
    counts = np.empty(len(sizes), np.int64)
    assign_cheapest(table, final, assigned, margins, counts)
    solve_label(table, final, sizes, assigned, margins, counts)
    primal, slack = measure_slack(table, final, assigned)
    return TransportPlan(primal, primal - slack, n, assigned, final)


def close_empty_folds(prices: NDArray[np.float64], quotas: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give folds without a quota an infinite price, and folds with one a finite price."""
    return np.where(quotas > 0, np.where(np.isfinite(prices), prices, 0.0), np.inf)


def _check_quotas(costs: NDArray, quotas: NDArray) -> NDArray[np.int64]:
    if costs.ndim != 2 or quotas.shape != costs.shape[1:]:
        raise AssayError(f"{quotas.size} quotas for costs of shape {costs.shape}.", hint="Give one quota per column.")
    if not np.isfinite(costs).all():
        raise AssayError("The costs hold nan or infinity; every row needs a finite cost in every fold.")
    if (quotas < 0).any() or quotas.sum() != len(costs):
        raise AssayError(f"Quotas sum to {quotas.sum()} for {len(costs)} rows; they must be ≥ 0 and sum to the rows.")
    return quotas.astype(np.int64)
