"""Deal an item's outcomes anew to the systems, many times, and count how often the covariance is as low."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def count_as_low(columns, rest, deals, limits):  # type: ignore[no-untyped-def]
    """Return for every item the deals with Σ_s x[π(s)] · rest[s] not above its limit."""
    n_systems, n_items = columns.shape
    counts = np.zeros(n_items)
    sums = np.empty(n_items, dtype=columns.dtype)
    for deal in range(len(deals)):
        sums[:] = 0
        for system in range(n_systems):
            dealt = deals[deal, system]
            for item in range(n_items):
                sums[item] += columns[dealt, item] * rest[system, item]
        for item in range(n_items):
            if sums[item] <= limits[item]:
                counts[item] += 1
    return counts
