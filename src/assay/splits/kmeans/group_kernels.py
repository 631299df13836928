"""Compiled: place groups of rows that must stay whole into folds, one group after the other."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop


@compile_loop
def place_groups(
    values: Array, group_starts: Array, rows: Array, labels: Array, remaining: Array, folds: Array
) -> None:
    """Put each group where the fewest of its rows exceed the remaining quotas, then where its value is lowest.

    Group g has the rows rows[group_starts[g]]…; `remaining` (label, fold) is lowered, below 0 if it is exceeded.
    """
    k = remaining.shape[1]
    for g in range(len(group_starts) - 1):
        best = -1
        n_least = 0
        for j in range(k):
            n_over = 0
            for t in range(group_starts[g], group_starts[g + 1]):
                label = labels[rows[t]]
                remaining[label, j] -= 1
                n_over += remaining[label, j] < 0
            for t in range(group_starts[g], group_starts[g + 1]):
                remaining[labels[rows[t]], j] += 1
            if best < 0 or n_over < n_least or (n_over == n_least and values[g, j] < values[g, best]):
                best = j
                n_least = n_over
        for t in range(group_starts[g], group_starts[g + 1]):
            remaining[labels[rows[t]], best] -= 1
            folds[rows[t]] = best


@compile_loop
def sum_group_values(
    costs: Array, label_starts: Array, prices: Array, labels: Array, group_starts: Array, rows: Array
) -> Array:
    """Sum cost + price over the rows of each group; where a price is infinite, the cost alone."""
    k = prices.shape[1]
    values = np.zeros((len(group_starts) - 1, k))
    for g in range(len(values)):
        for t in range(group_starts[g], group_starts[g + 1]):
            row = rows[t]
            label = labels[row]
            a, b = label_starts[label], label_starts[label + 1]
            for j in range(k):
                price = prices[label, j]
                values[g, j] += costs[k * a + j * (b - a) + row - a] + (price if price < np.inf else 0.0)
    return values
