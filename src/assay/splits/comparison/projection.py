"""The rows on a plane: the first two principal components of their vectors."""

from __future__ import annotations

import numpy as np

N_POINTS = 2000


def plane(vectors: np.ndarray) -> np.ndarray:
    """Return two coordinates a row; each axis points so that its largest value in size is positive."""
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    points = centred @ axes[:, ::-1][:, :2]
    if points.shape[1] < 2:
        points = np.hstack([points, np.zeros((len(points), 2 - points.shape[1]))])
    signs = np.sign(np.take_along_axis(points, np.abs(points).argmax(axis=0)[None], axis=0))
    return np.asarray(points * np.where(signs == 0, 1.0, signs))


def shown_rows(n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw at most 2,000 rows to show, in file order."""
    return np.sort(rng.permutation(n)[:N_POINTS])
