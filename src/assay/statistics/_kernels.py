"""Compiled loops; import this inside the function that needs it."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def cell_counts(weights: Array, cells: Array, n_cells: int) -> Any:
    """Count how often each resample draws each cell: (n_items, n_resamples) weights to (n_cells, n_resamples) counts.

    Resamples lie side by side, so that one item is added to all of them at once.
    """
    n_items, n_resamples = weights.shape
    counts = np.zeros((n_cells, n_resamples), dtype=np.uint32)
    for item in range(n_items):
        cell = cells[item]
        if cell >= 0:
            for resample in range(n_resamples):
                counts[cell, resample] += weights[item, resample]
    return counts


@compile_loop
def sum_concordance(x: Array, y: Array, clusters: Array, n_clusters: int) -> Any:
    """Add up the sign of concordance of all pairs of values by the clusters of both."""
    sums = np.zeros((n_clusters, n_clusters))
    for i in range(len(x)):
        for j in range(i):
            if x[i] != x[j] and y[i] != y[j]:
                sign = 1.0 if (x[i] > x[j]) == (y[i] > y[j]) else -1.0
                sums[clusters[i], clusters[j]] += sign
                sums[clusters[j], clusters[i]] += sign
    return sums
