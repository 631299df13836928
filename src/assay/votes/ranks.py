"""Ranks of ratings, and the ranks that are compatible with the votes."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.statistics import normal_quantile

N_DRAWS = 2000
_NEGLIGIBLE = 1e-12


def rank_values(values: Array) -> Array:
    """Return the rank of each value, the largest first; equal values share the best rank.

    >>> rank_values(np.array([3.0, 5.0, 3.0])).tolist()
    [2, 1, 2]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(-values, method="min").astype(int))


def bound_ranks(
    strengths: Array, covariance: Array, confidence: float = 0.95, random_state: int = 0
) -> tuple[Array, Array]:
    """Return the best and the worst rank of each system at this confidence, for one system at a time.

    A system is behind those that are better by more than their differences to it can be off, jointly over its rivals
    (Mogstad et al. 2024): the largest of the standardised errors is drawn from the normal distribution.

    >>> low, high = bound_ranks(np.array([2.0, 0.0, 0.1]), np.eye(3) * 0.01)
    >>> low.tolist(), high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    n = len(strengths)
    variances = np.diag(covariance)
    errors = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, _NEGLIGIBLE))
    limits = _draw_limits(covariance, errors, confidence, random_state)
    distances = (strengths[None, :] - strengths[:, None]) / errors  # of the column above the row
    np.fill_diagonal(distances, 0.0)
    low = 1 + (distances > limits[:, None]).sum(axis=1)
    high = n - (distances < -limits[:, None]).sum(axis=1)
    return low, high


def _draw_limits(covariance: Array, errors: Array, confidence: float, random_state: int) -> Array:
    """Return for each system how many errors its differences to all others are off at most."""
    n = len(covariance)
    if n < 3:
        return np.full(n, normal_quantile(confidence))
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = np.ascontiguousarray((np.random.default_rng(random_state).standard_normal((N_DRAWS, n)) @ root.T).T)
    largest = np.zeros((n, N_DRAWS))
    for system in range(n - 1):  # each pair once
        others = slice(system + 1, n)
        off = draws[others] - draws[system]
        np.abs(off, out=off)
        off /= errors[others, system, None]
        np.maximum(largest[others], off, out=largest[others])
        np.maximum(largest[system], off.max(axis=0), out=largest[system])
    return np.asarray(np.quantile(largest, confidence, axis=1))
