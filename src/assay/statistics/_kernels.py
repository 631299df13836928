"""Compiled loops; import this inside the function that needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def cell_counts(weights: Any, cells: Any, n_cells: int) -> Any:
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
