"""Compiled: what a row would cost in every fold, dense and sparse, and sums of the rows of a fold.

Rows are sorted by label. Costs lie in one flat array, label by label, each as a table folds × rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from assay.splits._transport_kernels import BLOCK, compare, excess, solve

Array = Any
FEW = 8  # folds up to which OpenBLAS multiplies small blocks faster with the rows transposed


@njit(cache=True, nogil=True)
def costs_of(costs: Array, k: int, start: int, stop: int) -> Array:
    """Return the table of costs, folds × rows, of the label whose rows are start…stop−1."""
    return costs[k * start : k * stop].reshape((k, stop - start))


@njit(cache=True, nogil=True)
def dense_products(X: Array, start: int, stop: int, directions: Array) -> Array:
    """Return directions times rows, folds × rows."""
    k = len(directions)
    if k <= FEW:
        products = np.empty((k, stop - start), X.dtype)
        np.dot(directions, X[start:stop].T, products)
        return products
    return np.dot(X[start:stop], directions.T).T.copy()


@njit(cache=True, nogil=True)
def sparse_products(X: Array, start: int, stop: int, directions: Array) -> Array:
    """Return directions times rows, folds × rows, for a CSR matrix."""
    data, indices, indptr = X
    k = directions.shape[1]
    products = np.zeros((stop - start, k), data.dtype)
    for i in range(start, stop):
        row = products[i - start]
        for entry in range(indptr[i], indptr[i + 1]):
            for j in range(k):
                row[j] += data[entry] * directions[indices[entry], j]
    return products.T.copy()


@njit(cache=True, nogil=True)
def choose(products: Array, bias: Array, prices: Array, table: Array, first: int, out: Array) -> None:
    """Write the costs of a block of rows, and find where cost + price is least and the margin to the second."""
    assigned, margins = out
    n = len(assigned)
    best = np.full(n, np.inf)
    margins[:] = np.inf
    for j in range(len(bias)):
        row = table[j, first : first + n]
        for i in range(n):
            row[i] = products[j, i] + bias[j]
        compare(row, prices[j], j, best, margins, assigned)
    for i in range(n):
        margins[i] -= best[i]


@njit(cache=True, nogil=True)
def dense_costs(X: Array, rows: Array, plane: Array, starts: Array, prices: Array, out: Array, counts: Array) -> None:
    """Cost the rows first…last−1 in every fold and count the cheapest; row 0 of X is row `offset` of all."""
    offset, first, last = rows
    directions, bias = plane
    costs, assigned, margins = out
    for label in range(len(starts) - 1):
        start, stop = starts[label], starts[label + 1]
        table = costs_of(costs, len(bias), start, stop)
        for a in range(max(first, start), min(last, stop), BLOCK):
            b = min(a + BLOCK, last, stop)
            products = dense_products(X, a - offset, b - offset, directions)
            choose(products, bias, prices[label], table, a - start, (assigned[a:b], margins[a:b]))
            for t in range(a, b):
                counts[label, assigned[t]] += 1


@njit(cache=True, nogil=True)
def sparse_costs(X: Array, rows: Array, plane: Array, starts: Array, prices: Array, out: Array, counts: Array) -> None:
    """Do what `dense_costs` does, for a CSR matrix; compiled functions that take functions are not kept on disk."""
    offset, first, last = rows
    directions, bias = plane
    costs, assigned, margins = out
    for label in range(len(starts) - 1):
        start, stop = starts[label], starts[label + 1]
        table = costs_of(costs, len(bias), start, stop)
        for a in range(max(first, start), min(last, stop), BLOCK):
            b = min(a + BLOCK, last, stop)
            products = sparse_products(X, a - offset, b - offset, directions)
            choose(products, bias, prices[label], table, a - start, (assigned[a:b], margins[a:b]))
            for t in range(a, b):
                counts[label, assigned[t]] += 1


@njit(cache=True, nogil=True)
def solve_labels(starts: Array, prices: Array, quotas: Array, out: Array, counts: Array) -> None:
    """Bring every label to its quotas at least cost, starting from the cheapest folds."""
    costs, assigned, margins = out
    k = prices.shape[1]
    for label in range(len(quotas)):
        a, b = starts[label], starts[label + 1]
        table = costs_of(costs, k, a, b)
        solve(table, prices[label], quotas[label], assigned[a:b], margins[a:b], counts[label])


@njit(cache=True, nogil=True)
def predict_prices(starts: Array, prices: Array, out: Array, counts: Array, step: int, known: Array) -> None:
    """Move the prices so that a sample of the rows, costed anew, spreads over the folds as it did before.

    The sample is every step-th row of a label; `known` holds where the labels start among all rows, and all folds.
    """
    costs, assigned, margins = out
    all_starts, folds = known
    k = prices.shape[1]
    for label in range(len(prices)):
        a, b = starts[label], starts[label + 1]
        if b - a < 20 * k:
            continue
        quotas = np.zeros(k, np.int64)
        for t in range(all_starts[label], all_starts[label + 1], step):
            quotas[folds[t]] += 1
        table = costs_of(costs, k, a, b)
        solve(table, prices[label], quotas, assigned[a:b], margins[a:b], counts[label])


@njit(cache=True, nogil=True)
def dense_moves(X: Array, old: Array, new: Array, sums: Array) -> int:
    """Take rows that changed their fold out of one sum and into another; count them. Fold -1 has no sum."""
    n_moved = 0
    for t in range(len(old)):
        s, j = old[t], new[t]
        if s != j:
            n_moved += 1
            row = X[t]
            for f in range(len(row)):
                sums[j, f] += row[f]
            if s >= 0:
                for f in range(len(row)):
                    sums[s, f] -= row[f]
    return n_moved


@njit(cache=True, nogil=True)
def sparse_moves(X: Array, old: Array, new: Array, sums: Array) -> int:
    """Do what `dense_moves` does, for a CSR matrix."""
    data, indices, indptr = X
    n_moved = 0
    for t in range(len(old)):
        s, j = old[t], new[t]
        if s != j:
            n_moved += 1
            for entry in range(indptr[t], indptr[t + 1]):
                sums[j, indices[entry]] += data[entry]
                if s >= 0:
                    sums[s, indices[entry]] -= data[entry]
    return n_moved


@njit(cache=True, nogil=True)
def total_excess(costs: Array, starts: Array, prices: Array, assigned: Array) -> tuple[float, float]:
    """Sum the cost over the labels, and the distance to the best that prices allow."""
    primal = 0.0
    slack = 0.0
    for label in range(len(prices)):
        a, b = starts[label], starts[label + 1]
        cost, lost = excess(costs_of(costs, prices.shape[1], a, b), prices[label], assigned[a:b])
        primal += cost
        slack += lost
    return primal, slack
