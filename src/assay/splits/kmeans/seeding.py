"""Initial centres of K-means."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from assay.base.arrays import Array, Matrix
from assay.splits.kmeans.points import LabelledPoints, measure_squared_distances


def draw_centres(points: LabelledPoints, k: int, rng: np.random.Generator) -> Array:
    """Draw k rows as centres by greedy k-means++: distant rows are more likely, the best of a few draws is kept.

    If every row equals a centre already, any row may come next.
    """
    n = len(points)
    to_mean = measure_squared_distances(points.X, points.mean)
    centres = gather_rows(points.X, rng.integers(n, size=1))
    closest = measure_distances(points, to_mean, centres)[:, 0]
    while len(centres) < k:
        candidates = draw_rows(closest, 2 + int(math.log(k)), rng)
        distances = measure_distances(points, to_mean, gather_rows(points.X, candidates))
        closest_with = np.minimum(closest[:, None], distances, out=distances)
        best = int(closest_with.sum(axis=0).argmin())
        closest = closest_with[:, best]
        centres = np.vstack([centres, gather_rows(points.X, candidates[best : best + 1])])
    return centres


def draw_rows(weights: Array, size: int, rng: np.random.Generator) -> Array:
    """Draw rows with probabilities proportional to weights; uniformly if all weights are 0."""
    cumulative = np.cumsum(weights)
    if cumulative[-1] <= 0:
        return rng.integers(len(weights), size=size)
    return np.minimum(np.searchsorted(cumulative, rng.random(size) * cumulative[-1], side="right"), len(weights) - 1)


def measure_distances(points: LabelledPoints, to_mean: Array, centres: Array) -> Array:
    """Return squared distances, rows × centres; `to_mean` are the squared distances to the mean."""
    directions, offsets = points.map_to_costs(centres, points.X.dtype)
    products = points.X @ (directions if sparse.issparse(points.X) else directions.T)
    distances = products + offsets
    distances = np.add(distances, to_mean[:, None], out=distances if distances.dtype == to_mean.dtype else None)
    return np.asarray(np.maximum(distances, 0.0, out=distances))


def gather_rows(X: Matrix, rows: Array) -> Array:
    """Return some rows as a dense float64 matrix."""
    return np.asarray(sparse.csr_matrix(X[rows]).toarray() if sparse.issparse(X) else X[rows], dtype=np.float64)
