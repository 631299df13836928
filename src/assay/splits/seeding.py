"""Where K-means starts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from assay.splits.constrained import Points, squares


def plus_plus(points: Points, k: int, rng: np.random.Generator) -> np.ndarray:
    """Draw k rows as centres by greedy k-means++: far rows are likelier, the best of a few draws is kept.

    Where all rows stand on a centre already, any row may come next.
    """
    n = len(points)
    own = squares(points.X, points.mean)
    centres = rows_of(points.X, rng.integers(n, size=1))
    closest = distances(points, own, centres)[:, 0]
    while len(centres) < k:
        drawn = drawn_rows(closest, 2 + int(math.log(k)), rng)
        near = np.minimum(closest[:, None], distances(points, own, rows_of(points.X, drawn)))
        best = int(near.sum(axis=0).argmin())
        closest = near[:, best]
        centres = np.vstack([centres, rows_of(points.X, drawn[best : best + 1])])
    return centres


def drawn_rows(weights: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw rows with chances in proportion to weights; evenly where there is no weight."""
    upto = np.cumsum(weights)
    if upto[-1] <= 0:
        return rng.integers(len(weights), size=size)
    return np.minimum(np.searchsorted(upto, rng.random(size) * upto[-1], side="right"), len(weights) - 1)


def distances(points: Points, own: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return squared distances, rows × centres; `own` are those to the mean."""
    directions, bias = points.plane(centres, points.X.dtype)
    product = points.X @ (directions if sparse.issparse(points.X) else directions.T)
    return np.maximum(product + bias + own[:, None], 0.0)


def rows_of(X: Any, rows: np.ndarray) -> np.ndarray:
    """Return some rows as a dense float64 matrix."""
    found = X[rows]
    return np.asarray(found.toarray() if sparse.issparse(found) else found, dtype=np.float64)
