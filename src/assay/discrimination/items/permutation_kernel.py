"""Compiled count of permutations with a low covariance."""

from __future__ import annotations

import numpy as np

from assay.base.loops import compile_loop


@compile_loop
def count_low_covariances(columns, rest, permutations, limits):  # type: ignore[no-untyped-def]
    """Return for every item the number of permutations π with Σ_s x[π(s)] · rest[s] not above its limit."""
    n_systems, n_items = columns.shape
    counts = np.zeros(n_items)
    sums = np.empty(n_items, dtype=columns.dtype)
    for permutation in range(len(permutations)):
        sums[:] = 0
        for system in range(n_systems):
            source = permutations[permutation, system]
            for item in range(n_items):
                sums[item] += columns[source, item] * rest[system, item]
        for item in range(n_items):
            if sums[item] <= limits[item]:
                counts[item] += 1
    return counts
