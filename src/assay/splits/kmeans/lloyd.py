"""K-means whose folds hold an exact quota of every label: Lloyd's iteration with an exact assignment step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from scipy import sparse

from assay.base.arrays import Array, Matrix
from assay.splits.kmeans.points import CHUNK_ROWS, LabelledPoints
from assay.splits.kmeans.transport import close_empty_folds

MIN_ROWS_TO_SAMPLE = 10_000  # rows from which on a sample predicts the prices


@dataclass
class LloydState:
    """The state that a run of K-means carries from one iteration to the next."""

    costs: Array
    assigned: Array
    margins: Array
    prices: Array
    sums: Array
    centres: Array

    @property
    def of_rows(self) -> tuple[Array, Array, Array]:
        """Return the arrays that the kernels write for every row."""
        return self.costs, self.assigned, self.margins

    @classmethod
    def start(cls, points: LabelledPoints, quotas: Array, centres: Array) -> LloydState:
        """Return the state before the first iteration: no row has a fold."""
        n, k = len(points), len(centres)
        return cls(
            np.empty(n * k, points.X.dtype),
            np.full(n, -1, np.int32),
            np.empty(n),
            close_empty_folds(np.zeros(quotas.shape), quotas),
            np.zeros(centres.shape),
            centres,
        )


@dataclass(frozen=True)
class Clustering:
    """The outcome of one run: folds 0…k−1 in the order of the points, and how good they are."""

    within_variance: float
    folds: Array
    n_iterations: int
    gap: float
    converged: bool
    n_off_quota: int = 0

    def reorder(self, order: Array) -> Clustering:
        """Return the clustering in another order of rows, in which point i is row order[i]."""
        folds = np.empty(len(order), np.int64)
        folds[order] = self.folds
        return replace(self, folds=folds)


def run_lloyd(
    points: LabelledPoints, quotas: Array, centres: Array, max_iter: int, tol: float, n_threads: int = 1
) -> Clustering:
    """Iterate from `centres` until they move less than `tol` allows (as in scikit-learn), or until no row moves."""
    state = LloydState.start(points, quotas, centres)
    sample = points.sample(choose_sample_step(len(points))) if len(points) > MIN_ROWS_TO_SAMPLE else None
    limit = tol * points.total_squares / points.X.shape[1] / len(points)
    converged = False
    for n_iterations in range(1, max_iter + 1):
        previous = state.centres
        n_moved = run_iteration(points, quotas, state, sample if n_iterations > 1 else None, n_threads)
        converged = n_moved == 0 or float(((state.centres - previous) ** 2).sum()) <= limit
        if converged:
            break
    gap = assign_exactly(points, quotas, state)
    return Clustering(compute_within_variance(points, state), state.assigned, n_iterations, gap, converged)


def run_iteration(
    points: LabelledPoints, quotas: Array, state: LloydState, sample: LabelledPoints | None, n_threads: int
) -> int:
    """Assign the rows to the centres within the quotas, then move the centres; count the rows that moved."""
    from assay.splits.kmeans.cost_kernels import predict_prices, solve_labels

    if sample is not None:
        trial = replace(LloydState.start(sample, quotas, state.centres), prices=state.prices)
        counts = cost_rows(sample, trial)
        step = choose_sample_step(len(points))
        predict_prices(
            sample.label_starts, state.prices, trial.of_rows, counts, step, points.label_starts, state.assigned
        )
    previous = state.assigned.copy()
    counts = cost_rows(points, state, n_threads)
    solve_labels(points.label_starts, state.prices, quotas, state.of_rows, counts)
    return move_centres(points, quotas.sum(axis=0), state, previous)


def choose_sample_step(n: int) -> int:
    """Return s where one row in s predicts the prices."""
    return 8 if n < 250_000 else 32


def cost_rows(points: LabelledPoints, state: LloydState, n_threads: int = 1) -> Array:
    """Cost all rows in all folds at the prices of `state`, and return the counts (label, fold) of the cheapest folds.

    The precision follows the cost array: if it is float64, float32 rows are costed in float64.
    """
    linear_map = points.map_to_costs(state.centres, state.costs.dtype)

    def cost_chunk(first: int) -> Array:
        last = min(first + CHUNK_ROWS, len(points))
        counts = np.zeros(state.prices.shape, np.int64)
        kernel, X, offset = choose_cost_kernel(points.X, first, last, state.costs.dtype)
        kernel(X, (offset, first, last), linear_map, points.label_starts, state.prices, state.of_rows, counts)
        return counts

    firsts = range(0, len(points), CHUNK_ROWS)
    if n_threads == 1 or len(firsts) == 1:
        return np.sum([cost_chunk(first) for first in firsts], axis=0)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.sum(list(pool.map(cost_chunk, firsts)), axis=0)


def choose_cost_kernel(X: Matrix, first: int, last: int, dtype: DTypeLike) -> tuple[Any, Any, int]:
    """Return the kernel that costs the rows of this matrix, the rows as it takes them, and the number of the first."""
    from assay.splits.kmeans.cost_kernels import cost_dense_rows, cost_sparse_rows

    if sparse.issparse(X):
        rows = sparse.csr_matrix(X)
        return cost_sparse_rows, (rows.data.astype(dtype, copy=False), rows.indices, rows.indptr), 0
    if X.dtype == dtype:
        return cost_dense_rows, X, 0
    return cost_dense_rows, X[first:last].astype(dtype), first


def move_centres(points: LabelledPoints, sizes: Array, state: LloydState, previous: Array) -> int:
    """Update sums and centres to the folds, whose sizes are given, and count the rows that moved.

    A fold without rows keeps its centre.
    """
    from assay.splits.kmeans.cost_kernels import update_dense_sums, update_sparse_sums

    if sparse.issparse(points.X):
        X = sparse.csr_matrix(points.X)
        n_moved = update_sparse_sums((X.data, X.indices, X.indptr), previous, state.assigned, state.sums)
    else:
        n_moved = update_dense_sums(points.X, previous, state.assigned, state.sums)
    state.centres = np.where(sizes[:, None] > 0, state.sums / np.maximum(sizes, 1)[:, None], state.centres)
    return int(n_moved)


def assign_exactly(points: LabelledPoints, quotas: Array, state: LloydState) -> float:
    """Assign once more with costs in float64, and return the optimality gap that the prices prove."""
    from assay.splits.kmeans.cost_kernels import measure_total_slack, solve_labels

    state.costs = np.empty(len(state.costs))
    counts = cost_rows(points, state)
    solve_labels(points.label_starts, state.prices, quotas, state.of_rows, counts)
    primal, slack = measure_total_slack(state.costs, points.label_starts, state.prices, state.assigned)
    state.sums[:] = 0.0
    move_centres(points, quotas.sum(axis=0), state, np.full(len(points), -1, np.int32))
    return relate_gap(primal, slack, points)


def relate_gap(primal: float, slack: float, points: LabelledPoints) -> float:
    """Return the slack as a share of the total cost; costs are relative to the distance to the mean."""
    total = primal + points.total_squares
    return slack / total if total > 0 else 0.0


def compute_within_variance(points: LabelledPoints, state: LloydState) -> float:
    """Return the sum of squared distances to the mean of the row's own fold, divided by the number of rows."""
    sizes = np.bincount(state.assigned, minlength=len(state.sums))
    between = (sizes[:, None] * (state.centres - points.mean) ** 2).sum()
    return max(0.0, points.total_squares - float(between)) / len(points)
