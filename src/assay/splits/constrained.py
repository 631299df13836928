"""K-means whose folds hold an exact quota of every label: Lloyd's iteration with an exact assignment step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from assay.splits.transport import closed

CHUNK = 1 << 16  # rows a thread takes at a time; fixed, so that the number of threads changes no bit
ENOUGH = 10_000  # rows from which on a sample predicts the prices


@dataclass(frozen=True)
class Points:
    """Rows to cluster, sorted by label: those of label l are starts[l]…starts[l + 1] − 1."""

    X: Any
    starts: np.ndarray
    mean: np.ndarray
    spread: float
    """Sum of squared distances to the mean."""

    @classmethod
    def of(cls, X: Any, starts: np.ndarray) -> Points:
        """Prepare rows that are sorted by label; numbers that are no floats become float64."""
        X = floats(X)
        mean = mean_of(X)
        return cls(X, starts, mean, float(squares(X, mean).sum()))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def sample(self, step: int) -> Points:
        """Return every `step`-th row of each label."""
        parts = [np.arange(a, b, step) for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
        return Points(self.X[np.concatenate(parts)], starts, self.mean, 0.0)

    def plane(self, centres: np.ndarray, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return directions and bias: |x − c|² − |x − mean|² is x times directions plus bias.

        Taken about the mean, so that what float32 rounds away stays small for data far from 0.
        """
        away = centres - self.mean
        bias = 2.0 * away @ self.mean + (away * away).sum(axis=1)
        directions = -2.0 * (away.T if sparse.issparse(self.X) else away)
        return np.ascontiguousarray(directions, dtype=dtype), bias.astype(dtype)


@dataclass
class State:
    """What one start carries from an iteration to the next."""

    costs: np.ndarray
    assigned: np.ndarray
    margins: np.ndarray
    prices: np.ndarray
    sums: np.ndarray
    centres: np.ndarray

    @property
    def out(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what the kernels write for every row."""
        return self.costs, self.assigned, self.margins

    @classmethod
    def of(cls, points: Points, quotas: np.ndarray, centres: np.ndarray) -> State:
        """Make the state before the first iteration: no row has a fold."""
        n, k = len(points), len(centres)
        return cls(
            np.empty(n * k, points.X.dtype),
            np.full(n, -1, np.int32),
            np.empty(n),
            closed(np.zeros(quotas.shape), quotas),
            np.zeros(centres.shape),
            centres,
        )


@dataclass(frozen=True)
class Clustering:
    """The end of one start: folds 0…k−1 in the order of the points."""

    within_variance: float
    folds: np.ndarray
    n_iterations: int
    gap: float
    converged: bool
    n_off_quota: int = 0

    def reordered(self, order: np.ndarray) -> Clustering:
        """Return the same for rows of which point i is row order[i]."""
        folds = np.empty(len(order), np.int64)
        folds[order] = self.folds
        return replace(self, folds=folds)


def cluster(
    points: Points, quotas: np.ndarray, centres: np.ndarray, max_iter: int, tol: float, n_threads: int = 1
) -> Clustering:
    """Run one start from `centres` until they move less than `tol` allows (as in scikit-learn), or no row moves."""
    state = State.of(points, quotas, centres)
    sample = points.sample(sample_step(len(points))) if len(points) > ENOUGH else None
    limit = tol * points.spread / points.X.shape[1] / len(points)
    converged = False
    for n_iterations in range(1, max_iter + 1):
        before = state.centres
        n_moved = iterate(points, quotas, state, sample if n_iterations > 1 else None, n_threads)
        converged = n_moved == 0 or float(((state.centres - before) ** 2).sum()) <= limit
        if converged:
            break
    gap = finish(points, quotas, state)
    return Clustering(within(points, state), state.assigned, n_iterations, gap, converged)


def iterate(points: Points, quotas: np.ndarray, state: State, sample: Points | None, n_threads: int) -> int:
    """Assign the rows to the centres within the quotas, then move the centres; count the rows that moved."""
    from assay.splits._k_means_kernels import predict_prices, solve_labels

    if sample is not None:
        guess = replace(State.of(sample, quotas, state.centres), prices=state.prices)
        counts = cost(sample, guess)
        known = (points.starts, state.assigned)
        predict_prices(sample.starts, state.prices, guess.out, counts, sample_step(len(points)), known)
    old = state.assigned.copy()
    counts = cost(points, state, n_threads)
    solve_labels(points.starts, state.prices, quotas, state.out, counts)
    return move(points, quotas.sum(axis=0), state, old)


def sample_step(n: int) -> int:
    """Say that one row in so many predicts the prices."""
    return 8 if n < 250_000 else 32


def cost(points: Points, state: State, n_threads: int = 1) -> np.ndarray:
    """Cost all rows in all folds at the prices of `state`, and return the counts (label, fold) of the cheapest.

    The costs are as exact as the array that holds them: float64 there costs float32 rows in float64.
    """
    plane = points.plane(state.centres, state.costs.dtype)

    def chunk(first: int) -> np.ndarray:
        last = min(first + CHUNK, len(points))
        counts = np.zeros(state.prices.shape, np.int64)
        kernel, X, offset = costing(points.X, first, last, state.costs.dtype)
        kernel(X, (offset, first, last), plane, points.starts, state.prices, state.out, counts)
        return counts

    firsts = range(0, len(points), CHUNK)
    if n_threads == 1 or len(firsts) == 1:
        return np.sum([chunk(first) for first in firsts], axis=0)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.sum(list(pool.map(chunk, firsts)), axis=0)


def costing(X: Any, first: int, last: int, dtype: Any) -> tuple[Any, Any, int]:
    """Return the kernel that costs the rows of this matrix, the rows as it takes them, and which is their first."""
    from assay.splits._k_means_kernels import dense_costs, sparse_costs

    if sparse.issparse(X):
        return sparse_costs, (X.data.astype(dtype, copy=False), X.indices, X.indptr), 0
    if X.dtype == dtype:
        return dense_costs, X, 0
    return dense_costs, X[first:last].astype(dtype), first


def move(points: Points, sizes: np.ndarray, state: State, old: np.ndarray) -> int:
    """Bring sums and centres up to date with the folds, whose sizes are given; one without rows keeps its centre."""
    from assay.splits._k_means_kernels import dense_moves, sparse_moves

    if sparse.issparse(points.X):
        n_moved = sparse_moves((points.X.data, points.X.indices, points.X.indptr), old, state.assigned, state.sums)
    else:
        n_moved = dense_moves(points.X, old, state.assigned, state.sums)
    state.centres = np.where(sizes[:, None] > 0, state.sums / np.maximum(sizes, 1)[:, None], state.centres)
    return int(n_moved)


def finish(points: Points, quotas: np.ndarray, state: State) -> float:
    """Assign once more with costs in float64, and return the gap that the prices leave."""
    from assay.splits._k_means_kernels import solve_labels, total_excess

    state.costs = np.empty(len(state.costs))
    counts = cost(points, state)
    solve_labels(points.starts, state.prices, quotas, state.out, counts)
    primal, slack = total_excess(state.costs, points.starts, state.prices, state.assigned)
    state.sums[:] = 0.0
    move(points, quotas.sum(axis=0), state, np.full(len(points), -1, np.int32))
    return slack / (primal + points.spread) if primal + points.spread > 0 else 0.0


def within(points: Points, state: State) -> float:
    """Return the sum of squared distances to the mean of the own fold, by the rows."""
    sizes = np.bincount(state.assigned, minlength=len(state.sums))
    between = (sizes[:, None] * (state.centres - points.mean) ** 2).sum()
    return max(0.0, points.spread - float(between)) / len(points)


def floats(X: Any) -> Any:
    """Return the matrix as C-ordered float32 or float64, itself where it is so already; no columns are one of zeros."""
    if X.shape[1] == 0:
        return np.zeros((X.shape[0], 1))
    dtype = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
    return X.astype(dtype, copy=False) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=dtype)


def mean_of(X: Any) -> np.ndarray:
    """Return the mean row in float64."""
    return np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()


def squares(X: Any, mean: np.ndarray) -> np.ndarray:
    """Return each row's squared distance to the mean, in float64, without a copy of the matrix."""
    if sparse.issparse(X):
        own = np.asarray(X.multiply(X).sum(axis=1, dtype=np.float64)).ravel()
        return np.asarray(own - 2.0 * (X @ mean) + mean @ mean)
    found = np.empty(len(X))
    for start in range(0, len(X), CHUNK):
        away = X[start : start + CHUNK] - mean
        found[start : start + CHUNK] = np.einsum("ij,ij->i", away, away)
    return found
