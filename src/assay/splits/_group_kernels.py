"""Compiled: groups of rows that must stay whole, put into folds one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = Any


@njit(cache=True, nogil=True)
def place_groups(values: Array, starts: Array, rows: Array, labels: Array, remaining: Array, folds: Array) -> None:
    """Put each group where the fewest of its rows exceed what remains of the quotas, then where its value is least.

    Group g has the rows rows[starts[g]]…; `remaining` (label, fold) goes down, below 0 where a quota is exceeded.
    """
    k = remaining.shape[1]
    for g in range(len(starts) - 1):
        best = -1
        least = 0
        for j in range(k):
            over = 0
            for t in range(starts[g], starts[g + 1]):
                label = labels[rows[t]]
                remaining[label, j] -= 1
                over += remaining[label, j] < 0
            for t in range(starts[g], starts[g + 1]):
                remaining[labels[rows[t]], j] += 1
            if best < 0 or over < least or (over == least and values[g, j] < values[g, best]):
                best = j
                least = over
        for t in range(starts[g], starts[g + 1]):
            remaining[labels[rows[t]], best] -= 1
            folds[rows[t]] = best


@njit(cache=True, nogil=True)
def group_values(costs: Array, label_starts: Array, prices: Array, labels: Array, starts: Array, rows: Array) -> Array:
    """Sum cost + price over the rows of each group; where a price is infinite, the cost alone."""
    k = prices.shape[1]
    values = np.zeros((len(starts) - 1, k))
    for g in range(len(values)):
        for t in range(starts[g], starts[g + 1]):
            row = rows[t]
            label = labels[row]
            a, b = label_starts[label], label_starts[label + 1]
            for j in range(k):
                price = prices[label, j]
                values[g, j] += costs[k * a + j * (b - a) + row - a] + (price if price < np.inf else 0.0)
    return values
