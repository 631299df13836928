"""Compiled loops of the statistics room; import this inside the function that needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def chosen_items(weights: Any) -> Any:
    """Return the items each resample draws, one after the other, how often, and where each resample begins."""
    n_resamples, n_items = weights.shape
    starts = np.zeros(n_resamples + 1, dtype=np.int64)
    items = np.empty(weights.size, dtype=np.int32)
    often = np.empty(weights.size, dtype=np.uint32)
    place = 0
    for resample in range(n_resamples):
        for item in range(n_items):
            if weights[resample, item]:
                items[place] = item
                often[place] = weights[resample, item]
                place += 1
        starts[resample + 1] = place
    return items[:place], often[:place], starts


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def cell_counts(items: Any, often: Any, starts: Any, cells: Any, n_cells: int) -> Any:
    """Count how often each resample draws each cell; the last column takes the items that have none."""
    counts = np.zeros((len(starts) - 1, n_cells + 1), dtype=np.uint32)
    for resample in range(len(starts) - 1):
        for place in range(starts[resample], starts[resample + 1]):
            counts[resample, cells[items[place]]] += often[place]
    return counts
