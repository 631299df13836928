"""Compiled: areas between the distribution functions of two parts."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def measure_areas(weights: Array, order: Array, steps: Array) -> Array:
    """Return, for each line of weights, ∫ |running sum| along the sorted rows of each direction, averaged."""
    n_pairs, n_directions, n = weights.shape[0], order.shape[0], order.shape[1]
    areas = np.zeros(n_pairs)
    for pair in range(n_pairs):
        for direction in range(n_directions):
            level = 0.0
            for position in range(n - 1):
                level += weights[pair, order[direction, position]]
                areas[pair] += abs(level) * steps[direction, position]
    return areas / n_directions
