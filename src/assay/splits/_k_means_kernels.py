"""Compiled: what a row would cost in every fold, dense and sparse, and sums of the rows of a fold.

Rows come in the order of the matrix; costs, folds and margins are kept in the order of the labels, so that the rows of
one label lie together: `place` says where.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from assay.splits._transport_kernels import balance_sample, cheapest, excess, solve

Array = Any
BLOCK = 256  # rows whose products stay in the first cache


@njit(cache=True, nogil=True)
def choose(products: Array, bias: Array, prices: Array, costs: Array) -> tuple[int, float]:
    """Write the costs of one row; return the fold where cost + price is least, and the margin to the second."""
    best = np.inf
    second = np.inf
    fold = 0
    for j in range(len(bias)):
        cost = bias[j] + products[j]
        costs[j] = cost
        value = cost + prices[j]
        lower = value < best
        second = min(second, max(best, value))
        best = min(best, value)
        fold = j if lower else fold
    return fold, second - best


@njit(cache=True, nogil=True)
def dense_costs(
    X: Array, directions: Array, bias: Array, labels: Array, place: Array, prices: Array, out: Array, counts: Array
) -> None:
    """Cost every row of a dense matrix in every fold, and count the cheapest folds by label."""
    costs, assigned, margins = out
    products = np.empty((BLOCK, len(bias)), X.dtype)
    for start in range(0, len(X), BLOCK):
        stop = min(len(X), start + BLOCK)
        np.dot(X[start:stop], directions, products[: stop - start])
        for i in range(start, stop):
            t = place[i]
            fold, margins[t] = choose(products[i - start], bias, prices[labels[i]], costs[t])
            assigned[t] = fold
            counts[labels[i], fold] += 1


@njit(cache=True, nogil=True)
def sparse_costs(
    X: Array, directions: Array, bias: Array, labels: Array, place: Array, prices: Array, out: Array, counts: Array
) -> None:
    """Cost every row of a CSR matrix in every fold, and count the cheapest folds by label."""
    data, indices, indptr = X
    costs, assigned, margins = out
    k = len(bias)
    products = np.empty(k, data.dtype)
    for i in range(len(indptr) - 1):
        products[:] = 0
        for entry in range(indptr[i], indptr[i + 1]):
            for j in range(k):
                products[j] += data[entry] * directions[indices[entry], j]
        t = place[i]
        fold, margins[t] = choose(products, bias, prices[labels[i]], costs[t])
        assigned[t] = fold
        counts[labels[i], fold] += 1


@njit(cache=True, nogil=True)
def solve_labels(costs: Array, starts: Array, prices: Array, quotas: Array, out: Array, counts: Array) -> None:
    """Bring every label to its quotas at least cost, starting from the cheapest folds."""
    assigned, margins = out
    for label in range(len(quotas)):
        a, b = starts[label], starts[label + 1]
        solve(costs[a:b], prices[label], quotas[label], assigned[a:b], margins[a:b], counts[label])


@njit(cache=True, nogil=True)
def predict_prices(costs: Array, starts: Array, prices: Array, step: int, all_starts: Array, assigned: Array) -> None:
    """Move the prices so that a sample of the rows, costed anew, spreads over the folds as it did before."""
    k = prices.shape[1]
    for label in range(len(prices)):
        a, b = starts[label], starts[label + 1]
        if b - a < 20 * k:
            continue
        quotas = np.zeros(k, np.int64)
        for t in range(all_starts[label], all_starts[label + 1], step):
            quotas[assigned[t]] += 1
        balance_sample(costs[a:b], prices[label], quotas)


@njit(cache=True, nogil=True)
def dense_moves(X: Array, row_at: Array, old: Array, new: Array, sums: Array) -> int:
    """Take rows that changed their fold out of one sum and into another; count them. Fold -1 has no sum."""
    n_moved = 0
    for t in range(len(old)):
        s, j = old[t], new[t]
        if s != j:
            n_moved += 1
            row = X[row_at[t]]
            for f in range(len(row)):
                sums[j, f] += row[f]
            if s >= 0:
                for f in range(len(row)):
                    sums[s, f] -= row[f]
    return n_moved


@njit(cache=True, nogil=True)
def sparse_moves(X: Array, row_at: Array, old: Array, new: Array, sums: Array) -> int:
    """Do what `dense_moves` does, for a CSR matrix."""
    data, indices, indptr = X
    n_moved = 0
    for t in range(len(old)):
        s, j = old[t], new[t]
        if s != j:
            n_moved += 1
            for entry in range(indptr[row_at[t]], indptr[row_at[t] + 1]):
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
        cost, lost = excess(costs[a:b], prices[label], assigned[a:b])
        primal += cost
        slack += lost
    return primal, slack


__all__ = ["cheapest", "dense_costs", "dense_moves", "predict_prices", "solve_labels", "sparse_costs", "sparse_moves"]
