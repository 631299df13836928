"""Compiled loops of the comparison."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def areas_between(weights: np.ndarray, order: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return, for each line of weights, ∫ |running sum| along each direction's sorted rows, averaged."""
    n_cuts, n_directions, n = weights.shape[0], order.shape[0], order.shape[1]
    areas = np.zeros(n_cuts)
    for cut in range(n_cuts):
        for direction in range(n_directions):
            level = 0.0
            for position in range(n - 1):
                level += weights[cut, order[direction, position]]
                areas[cut] += abs(level) * steps[direction, position]
    return areas / n_directions
