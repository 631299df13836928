"""K-means whose folds hold an exact quota of every label: Lloyd's iteration with an exact assignment step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from assay.splits.transport import closed

CHUNK = 1 << 16  # rows a thread takes at a time; a multiple of the kernel's block, so chunks change no product
SAMPLED = 8000  # rows that suffice to predict prices


@dataclass(frozen=True)
class Points:
    """Rows to cluster with their labels 0…l−1; `place` sorts them by label, `row_at` undoes it."""

    X: Any
    labels: np.ndarray
    place: np.ndarray
    row_at: np.ndarray
    starts: np.ndarray
    mean: np.ndarray
    spread: float
    """Sum of squared distances to the mean."""

    @classmethod
    def of(cls, X: Any, labels: np.ndarray, n_labels: int) -> Points:
        """Prepare rows; numbers that are no floats become float64."""
        X = floats(X)
        row_at = np.argsort(labels, kind="stable")
        place = np.empty(len(row_at), np.int64)
        place[row_at] = np.arange(len(row_at))
        starts = np.searchsorted(labels[row_at], np.arange(n_labels + 1))
        mean = mean_of(X)
        return cls(X, labels.astype(np.int32), place, row_at, starts, mean, float(squares(X, mean).sum()))

    def __len__(self) -> int:
        return len(self.labels)

    def sample(self, step: int) -> Points:
        """Return every `step`-th row of each label."""
        kept = np.concatenate([self.row_at[a:b:step] for a, b in zip(self.starts, self.starts[1:], strict=False)])
        labels = self.labels[kept]
        starts = np.searchsorted(labels, np.arange(len(self.starts)))
        positions = np.arange(len(kept))
        return Points(self.X[kept], labels, positions, positions, starts, self.mean, 0.0)

    def product(self, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return directions and bias: |x − c|² − |x − mean|² is x times directions plus bias.

        Taken about the mean, so that what float32 rounds away stays small for data far from 0.
        """
        away = centres - self.mean
        bias = 2.0 * away @ self.mean + (away * away).sum(axis=1)
        return np.ascontiguousarray(-2.0 * away.T, dtype=self.X.dtype), bias.astype(self.X.dtype)


@dataclass
class State:
    """What one start carries from an iteration to the next; folds, costs and margins sorted by label."""

    costs: np.ndarray
    assigned: np.ndarray
    margins: np.ndarray
    prices: np.ndarray
    sums: np.ndarray
    centres: np.ndarray

    @classmethod
    def of(cls, points: Points, quotas: np.ndarray, centres: np.ndarray) -> State:
        """Make the state before the first iteration: no row has a fold."""
        n, k = len(points), len(centres)
        return cls(
            np.empty((n, k), points.X.dtype),
            np.full(n, -1, np.int32),
            np.empty(n),
            closed(np.zeros(quotas.shape), quotas),
            np.zeros(centres.shape),
            centres,
        )


@dataclass(frozen=True)
class Clustering:
    """The end of one start: folds 0…k−1 in the order of the rows."""

    within_variance: float
    folds: np.ndarray
    n_iterations: int
    gap: float
    converged: bool


def cluster(
    points: Points, quotas: np.ndarray, centres: np.ndarray, max_iter: int, tol: float, n_threads: int = 1
) -> Clustering:
    """Run one start from `centres` until they move less than `tol` allows (as in scikit-learn), or no row moves."""
    state = State.of(points, quotas, centres)
    step = len(points) // SAMPLED
    sample = points.sample(min(step, 16)) if step > 1 else None
    limit = tol * points.spread / points.X.shape[1] / len(points)
    converged = False
    for n_iterations in range(1, max_iter + 1):  # noqa: B007, told in the result
        before = state.centres
        n_moved = iterate(points, quotas, state, sample if n_iterations > 1 else None, n_threads)
        converged = n_moved == 0 or float(((state.centres - before) ** 2).sum()) <= limit
        if converged:
            break
    gap = finish(points, quotas, state)
    return Clustering(within(points, state), state.assigned[points.place], n_iterations, gap, converged)


def iterate(points: Points, quotas: np.ndarray, state: State, sample: Points | None, n_threads: int) -> int:
    """Assign the rows to the centres within the quotas, then move the centres; count the rows that moved."""
    from assay.splits._k_means_kernels import predict_prices, solve_labels

    if sample is not None:
        guess = State.of(sample, quotas, state.centres)
        guess.prices[:] = state.prices
        cost(sample, guess, state.centres, 1)
        step = -(-(points.starts[1] - points.starts[0]) // max(1, sample.starts[1] - sample.starts[0]))
        predict_prices(guess.costs, sample.starts, state.prices, step, points.starts, state.assigned)
    old = state.assigned.copy()
    counts = cost(points, state, state.centres, n_threads)
    solve_labels(state.costs, points.starts, state.prices, quotas, (state.assigned, state.margins), counts)
    return move(points, quotas, state, old)


def cost(points: Points, state: State, centres: np.ndarray, n_threads: int) -> np.ndarray:
    """Cost all rows in all folds at the prices of `state`, and return the counts (label, fold) of the cheapest."""
    directions, bias = points.product(centres)
    out = (state.costs, state.assigned, state.margins)

    def chunk(start: int) -> np.ndarray:
        rows = slice(start, start + CHUNK)
        counts = np.zeros(state.prices.shape, np.int64)
        kernel, X = dense_or_sparse(points.X, rows, "costs")
        kernel(X, directions, bias, points.labels[rows], points.place[rows], state.prices, out, counts)
        return counts

    first = range(0, len(points), CHUNK)
    if n_threads == 1 or len(first) == 1:
        return np.sum([chunk(start) for start in first], axis=0)
    with ThreadPoolExecutor(n_threads) as pool:
        return np.sum(list(pool.map(chunk, first)), axis=0)


def move(points: Points, quotas: np.ndarray, state: State, old: np.ndarray) -> int:
    """Bring sums and centres up to date with the folds; a fold without rows keeps its centre."""
    kernel, X = dense_or_sparse(points.X, slice(None), "moves")
    n_moved = int(kernel(X, points.row_at, old, state.assigned, state.sums))
    sizes = quotas.sum(axis=0)
    state.centres = np.where(sizes[:, None] > 0, state.sums / np.maximum(sizes, 1)[:, None], state.centres)
    return n_moved


def finish(points: Points, quotas: np.ndarray, state: State) -> float:
    """Assign once more with costs in float64, and return the gap that the prices leave."""
    from assay.splits._k_means_kernels import solve_labels, total_excess

    old = state.assigned.copy()
    state.costs = np.empty(state.costs.shape)
    counts = np.zeros(state.prices.shape, np.int64)
    away = state.centres - points.mean
    directions, bias = -2.0 * away.T, 2.0 * away @ points.mean + (away * away).sum(axis=1)
    out = (state.costs, state.assigned, state.margins)
    for start in range(0, len(points), CHUNK):
        rows = slice(start, start + CHUNK)
        kernel, X = dense_or_sparse(points.X, rows, "costs", np.float64)
        part = (points.labels[rows], points.place[rows])
        kernel(X, np.ascontiguousarray(directions), bias, *part, state.prices, out, counts)
    solve_labels(state.costs, points.starts, state.prices, quotas, (state.assigned, state.margins), counts)
    primal, slack = total_excess(state.costs, points.starts, state.prices, state.assigned)
    move(points, quotas, state, old)
    return slack / (primal + points.spread) if primal + points.spread > 0 else 0.0


def within(points: Points, state: State) -> float:
    """Return the sum of squared distances to the mean of the own fold, by the rows."""
    sizes = np.bincount(state.assigned, minlength=len(state.sums))
    between = (sizes[:, None] * (state.centres - points.mean) ** 2).sum()
    return max(0.0, points.spread - float(between)) / len(points)


def dense_or_sparse(X: Any, rows: slice, what: str, dtype: Any = None) -> tuple[Any, Any]:
    """Return the kernel for this matrix, and the rows as it takes them."""
    from assay.splits import _k_means_kernels as kernels

    if not sparse.issparse(X):
        part = X[rows] if dtype is None else X[rows].astype(dtype, copy=False)
        return getattr(kernels, f"dense_{what}"), part
    indptr = X.indptr[slice(rows.start, None if rows.stop is None else rows.stop + 1)]
    data = X.data if dtype is None else X.data.astype(dtype, copy=False)
    return getattr(kernels, f"sparse_{what}"), (data, X.indices, indptr)


def floats(X: Any) -> Any:
    """Return the matrix as C-ordered float32 or float64, itself where it is so already."""
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
