"""The steps after an encoder: standardise, then keep the main directions (Wecker et al. 2020)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import UsageError

_BLOCK_ROWS = 65_536  # converted to double precision at a time


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A linear map learned from vectors: subtract the mean, divide, rotate."""

    mean: NDArray[np.float64]
    weights: NDArray[np.float64]

    @classmethod
    def learn(cls, vectors: NDArray[np.float32], standardise: bool, n_components: int | None) -> LinearMap:
        """Learn from the rows of a matrix; a constant dimension becomes 0.

        The main directions come from an exact eigendecomposition, so nothing is drawn at random.
        """
        n_dimensions = vectors.shape[1]
        if n_components is not None and not 1 <= n_components <= n_dimensions:
            fact = f"must be between 1 and {n_dimensions}, the vectors' dimensions, not {n_components}"
            raise UsageError(fact, option="pca")
        mean, covariance = _moments(vectors)
        deviations = np.sqrt(np.diag(covariance)) if standardise else np.ones(n_dimensions)
        # Rounding leaves a constant dimension a deviation near 1e-9 of its size; dividing by it would amplify noise.
        scale = np.divide(1, deviations, out=np.zeros(n_dimensions), where=deviations > 1e-7 * np.abs(mean))
        if n_components is None:
            return cls(mean, np.diag(scale))
        return cls(mean, scale[:, None] * _main_directions(covariance * np.outer(scale, scale), n_components))

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project the rows of a matrix."""
        projected = np.empty((len(vectors), self.weights.shape[1]), np.float32)
        for start in range(0, len(vectors), _BLOCK_ROWS):
            projected[start : start + _BLOCK_ROWS] = (vectors[start : start + _BLOCK_ROWS] - self.mean) @ self.weights
        return projected


def _moments(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # Summed in an order of the values, so that not even rounding depends on the order of the rows.
    order = np.lexsort(vectors[:, :4].T)
    blocks = [order[start : start + _BLOCK_ROWS] for start in range(0, len(order), _BLOCK_ROWS)]
    mean = np.sum([vectors[rows].sum(axis=0, dtype=np.float64) for rows in blocks], axis=0) / len(vectors)
    covariance = np.zeros((len(mean), len(mean)))
    for rows in blocks:
        centred = vectors[rows] - mean
        covariance += centred.T @ centred
    return mean, covariance / len(vectors)


def _main_directions(covariance: NDArray[np.float64], n_components: int) -> NDArray[np.float64]:
    _, directions = np.linalg.eigh(covariance)
    return fix_signs(directions[:, ::-1][:, :n_components])


def fix_signs(directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Flip columns so that the largest entry of each is positive: the sign of a direction is arbitrary."""
    if not directions.size:
        return directions
    largest = np.abs(directions).argmax(axis=0)
    return directions * np.where(directions[largest, np.arange(directions.shape[1])] < 0, -1.0, 1.0)
