"""The rows that K-means clusters: a matrix sorted by label, its mean and its spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike
from scipy import sparse

from assay.base.arrays import Array, Matrix
from assay.base.errors import AssayError

CHUNK_ROWS = 1 << 16  # rows a thread takes at a time; fixed, so that the number of threads changes no bit
CACHED_ROWS = 4096  # rows whose differences stay in the second-level cache
MAX_VALUE, MAX_SINGLE_VALUE = 1e140, 1e12  # largest values whose squares can be summed in float64 and in float32


@dataclass(frozen=True)
class LabelledPoints:
    """Rows to cluster, sorted by label: those of label l are label_starts[l]…label_starts[l + 1] − 1.

    `total_squares` is the sum of the squared distances to the mean.
    """

    X: Matrix
    label_starts: Array
    mean: Array
    total_squares: float

    @classmethod
    def from_matrix(cls, X: Matrix, label_starts: Array) -> LabelledPoints:
        """Wrap a float matrix whose rows are sorted by label."""
        mean = average_rows(X)
        return cls(X, label_starts, mean, float(measure_squared_distances(X, mean).sum()))

    def __len__(self) -> int:
        return int(self.label_starts[-1])

    def sample(self, step: int) -> LabelledPoints:
        """Return every `step`-th row of each label."""
        rows = [np.arange(a, b, step) for a, b in zip(self.label_starts[:-1], self.label_starts[1:], strict=True)]
        label_starts = np.concatenate([[0], np.cumsum([len(some) for some in rows])])
        return LabelledPoints(self.X[np.concatenate(rows)], label_starts, self.mean, 0.0)

    def map_to_costs(self, centres: Array, dtype: DTypeLike) -> tuple[Array, Array]:
        """Return directions and offsets such that |x − c|² − |x − mean|² is x times directions plus offsets.

        Taken about the mean, so that what float32 rounds away stays small for data far from 0.
        """
        away = centres - self.mean
        offsets = 2.0 * away @ self.mean + (away * away).sum(axis=1)
        directions = -2.0 * (away.T if sparse.issparse(self.X) else away)
        return np.ascontiguousarray(directions, dtype=dtype), offsets.astype(dtype)


def prepare_matrix(X: Matrix) -> Matrix:
    """Return a matrix as C-ordered float32 or float64, unchanged if it already is.

    float32 becomes float64 if squares would overflow; nan and infinity are refused. A matrix without columns
    becomes a column of zeros.
    """
    if X.shape[1] == 0:
        return np.zeros((X.shape[0], 1))
    dtype = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
    X = X.astype(dtype, copy=False) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=dtype)
    values = np.asarray(X.data if sparse.issparse(X) else X)
    largest = _find_largest(values)
    if not largest < MAX_VALUE:
        raise AssayError(
            f"The vectors hold nan, infinity or values of {MAX_VALUE:g} and more, which K-means cannot use."
        )
    return X.astype(np.float64) if X.dtype == np.float32 and largest > MAX_SINGLE_VALUE else X


def _find_largest(values: Array) -> float:
    """Return the largest absolute value, nan if there is one, in one pass over the memory."""
    extremes = [0.0]
    for start in range(0, len(values), CACHED_ROWS):
        chunk = values[start : start + CACHED_ROWS]
        extremes += [chunk.max(), chunk.min()]
    return float(np.abs(extremes).max())


def average_rows(X: Matrix) -> Array:
    """Return the mean row in float64."""
    return np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()


def measure_squared_distances(X: Matrix, mean: Array) -> Array:
    """Return each row's squared distance to the mean, in float64, without a copy of the matrix."""
    if sparse.issparse(X):
        squares = np.asarray(sparse.csr_matrix(X).multiply(X).sum(axis=1, dtype=np.float64)).ravel()
        return np.asarray(squares - 2.0 * (X @ mean) + mean @ mean)
    distances = np.empty(len(X))
    for start in range(0, len(X), CACHED_ROWS):
        away = X[start : start + CACHED_ROWS] - mean
        distances[start : start + CACHED_ROWS] = np.einsum("ij,ij->i", away, away)
    return distances


def sum_groups(X: Matrix, groups: Array) -> Array:
    """Sum the rows of each group 0…g−1."""
    members = sparse.csr_array((np.ones(len(groups)), (groups, np.arange(len(groups)))))
    sums = members @ X
    return np.asarray(sums.toarray() if sparse.issparse(sums) else sums)


def measure_within_variance(X: Matrix, clusters: Array) -> float:
    """Return the sum of squared distances to the mean of the row's own cluster, divided by the number of rows."""
    mean, sizes = average_rows(X), np.bincount(clusters)
    away = sum_groups(X, clusters) / np.maximum(sizes, 1)[:, None] - mean
    between = float((sizes[:, None] * away**2)[sizes > 0].sum())
    return max(0.0, float(measure_squared_distances(X, mean).sum()) - between) / len(clusters)
