"""Compiled: areas between the distribution functions of two parts."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop

N_LANES = 4  # pairs at once, whose sums do not wait for each other


@compile_loop
def measure_areas(weights: Array, order: Array, steps: Array) -> Array:
    """Return, for each line of weights, ∫ |running sum| along the sorted rows of each direction, averaged."""
    n_pairs, n_directions, n = weights.shape[0], order.shape[0], order.shape[1]
    areas = np.zeros(n_pairs)
    lanes = np.zeros((weights.shape[1], N_LANES))
    for first in range(0, n_pairs, N_LANES):
        n_used = min(N_LANES, n_pairs - first)
        for row in range(weights.shape[1]):
            for lane in range(n_used):
                lanes[row, lane] = weights[first + lane, row]
        a = b = c = d = 0.0
        for direction in range(n_directions):
            level_a = level_b = level_c = level_d = 0.0
            for position in range(n - 1):
                row, step = order[direction, position], steps[direction, position]
                level_a += lanes[row, 0]
                level_b += lanes[row, 1]
                level_c += lanes[row, 2]
                level_d += lanes[row, 3]
                a += abs(level_a) * step
                b += abs(level_b) * step
                c += abs(level_c) * step
                d += abs(level_d) * step
        areas[first : first + n_used] = np.array([a, b, c, d])[:n_used]
    return areas / n_directions
