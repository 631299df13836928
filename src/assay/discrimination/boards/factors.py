"""Factor models of a table with missing cells: column means plus abilities times loadings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array

N_ITERATIONS, N_WARM_ITERATIONS = 25, 8


@dataclass(frozen=True, eq=False)
class Factors:
    """A fitted model: value of system m on dataset b ≈ means[b] + scales[b] · abilities[m] · loadings[b]."""

    means: Array
    scales: Array
    abilities: Array
    loadings: Array
    penalty: float

    def predict(self) -> Array:
        """Return the model's value of every cell."""
        return np.asarray(self.means + self.scales * (self.abilities @ self.loadings.T))

    def predict_systems(self, values: Array) -> Array:
        """Return the values of new systems on all datasets, from those that are known (nan = unknown)."""
        z = (values - self.means) / self.scales
        abilities = _solve(np.isfinite(z).astype(float), np.nan_to_num(z), self.loadings, self.penalty)
        return np.asarray(self.means + self.scales * (abilities @ self.loadings.T))


def fit_factors(
    values: Array, rank: int, penalty: float, weights: Array | None = None, start: Array | None = None
) -> Factors:
    """Fit by alternating ridge regressions on standardised columns; rank 0 is the mean of every column.

    `weights` are weights of columns; `start` are abilities to start from, which need fewer iterations.
    """
    known = np.isfinite(values)
    counts = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, values, 0.0).sum(axis=0) / counts
    spread = np.sqrt((np.where(known, values - means, 0.0) ** 2).sum(axis=0) / counts)
    scales = np.where(spread > 1e-9, spread, 1.0)
    z = np.where(known, (values - means) / scales, 0.0)
    n, d = z.shape
    rank = min(rank, n, d)
    if rank == 0:
        return Factors(means, scales, np.zeros((n, 0)), np.zeros((d, 0)), penalty)
    columns = np.ones(d) if weights is None else weights
    mask = known * columns
    if start is None:
        left, singular, _ = np.linalg.svd(z, full_matrices=False)
        start = left[:, :rank] * singular[:rank] / np.sqrt(d)
        n_iterations = N_ITERATIONS
    else:
        n_iterations = N_WARM_ITERATIONS
    abilities, loadings = start, np.zeros((d, rank))
    for _ in range(n_iterations):
        loadings = _solve(known.T.astype(float), z.T, abilities, penalty)
        abilities = _solve(mask, z, loadings, penalty)
    return Factors(means, scales, abilities, loadings, penalty)


def _solve(mask: Array, values: Array, design: Array, penalty: float) -> Array:
    """Return the ridge coefficients of every row of values on the rows of the design, by weighted normal equations."""
    rank = design.shape[1]
    if rank == 0:
        return np.zeros((len(values), 0))
    products = (design[:, :, None] * design[:, None, :]).reshape(len(design), rank * rank)
    gram = (mask @ products).reshape(-1, rank, rank) + penalty * np.eye(rank)
    moments = (mask * values) @ design
    return np.asarray(np.linalg.solve(gram, moments[:, :, None])[:, :, 0])
