"""Compiled: the cost of every row in every fold, for dense and sparse rows, and the sums of the rows of each fold.

Rows are sorted by label. Costs lie in one flat array, label by label, each as a table folds × rows.
"""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop
from assay.splits.kmeans.transport_kernels import BLOCK_ROWS, measure_slack, offer_fold, solve_label

MAX_TRANSPOSED_FOLDS = 8  # up to so many folds OpenBLAS multiplies small blocks faster with the rows transposed
RowState = tuple[Array, Array, Array]  # costs, assigned folds and margins of the rows
LinearMap = tuple[Array, Array]  # directions and offsets of the folds
SparseRows = tuple[Array, Array, Array]  # data, indices and indptr of a CSR matrix


@compile_loop
def view_costs(costs: Array, k: int, start: int, stop: int) -> Array:
    """Return the cost table, folds × rows, of the label whose rows are start…stop−1."""
    return costs[k * start : k * stop].reshape((k, stop - start))


@compile_loop
def multiply_dense(X: Array, start: int, stop: int, directions: Array) -> Array:
    """Return directions times rows, folds × rows."""
    k = len(directions)
    if k <= MAX_TRANSPOSED_FOLDS:
        products = np.empty((k, stop - start), X.dtype)
        np.dot(directions, X[start:stop].T, products)
        return products
    return np.dot(X[start:stop], directions.T).T.copy()


@compile_loop
def multiply_sparse(X: SparseRows, start: int, stop: int, directions: Array) -> Array:
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


@compile_loop
def choose_folds(
    products: Array, offsets: Array, prices: Array, table: Array, first: int, assigned: Array, margins: Array
) -> None:
    """Write the costs of a block of rows, the fold where cost + price is lowest, and the margin to the second best."""
    n = len(assigned)
    best = np.full(n, np.inf)
    margins[:] = np.inf
    for j in range(len(offsets)):
        row = table[j, first : first + n]
        for i in range(n):
            row[i] = products[j, i] + offsets[j]
        offer_fold(row, prices[j], j, best, margins, assigned)
    for i in range(n):
        margins[i] -= best[i]


@compile_loop
def cost_dense_rows(
    X: Array,
    rows: tuple[int, int, int],
    linear_map: LinearMap,
    label_starts: Array,
    prices: Array,
    state: RowState,
    counts: Array,
) -> None:
    """Cost the rows first…last−1 in every fold and count the cheapest folds; row 0 of X is row `offset` of all rows."""
    offset, first, last = rows
    directions, offsets = linear_map
    costs, assigned, margins = state
    for label in range(len(label_starts) - 1):
        start, stop = label_starts[label], label_starts[label + 1]
        table = view_costs(costs, len(offsets), start, stop)
        for a in range(max(first, start), min(last, stop), BLOCK_ROWS):
            b = min(a + BLOCK_ROWS, last, stop)
            products = multiply_dense(X, a - offset, b - offset, directions)
            choose_folds(products, offsets, prices[label], table, a - start, assigned[a:b], margins[a:b])
            for i in range(a, b):
                counts[label, assigned[i]] += 1


@compile_loop
def cost_sparse_rows(
    X: SparseRows,
    rows: tuple[int, int, int],
    linear_map: LinearMap,
    label_starts: Array,
    prices: Array,
    state: RowState,
    counts: Array,
) -> None:
    """Do what `cost_dense_rows` does for a CSR matrix; a compiled function that takes functions cannot be cached."""
    offset, first, last = rows
    directions, offsets = linear_map
    costs, assigned, margins = state
    for label in range(len(label_starts) - 1):
        start, stop = label_starts[label], label_starts[label + 1]
        table = view_costs(costs, len(offsets), start, stop)
        for a in range(max(first, start), min(last, stop), BLOCK_ROWS):
            b = min(a + BLOCK_ROWS, last, stop)
            products = multiply_sparse(X, a - offset, b - offset, directions)
            choose_folds(products, offsets, prices[label], table, a - start, assigned[a:b], margins[a:b])
            for i in range(a, b):
                counts[label, assigned[i]] += 1


@compile_loop
def solve_labels(label_starts: Array, prices: Array, quotas: Array, state: RowState, counts: Array) -> None:
    """Bring every label to its quotas at least cost, starting from the cheapest folds."""
    costs, assigned, margins = state
    k = prices.shape[1]
    for label in range(len(quotas)):
        a, b = label_starts[label], label_starts[label + 1]
        table = view_costs(costs, k, a, b)
        solve_label(table, prices[label], quotas[label], assigned[a:b], margins[a:b], counts[label])


@compile_loop
def predict_prices(
    label_starts: Array,
    prices: Array,
    state: RowState,
    counts: Array,
    step: int,
    all_label_starts: Array,
    all_folds: Array,
) -> None:
    """Change the prices so that a sample of the rows, costed again, spreads over the folds as it did before.

    The sample is every step-th row of a label; `all_label_starts` and `all_folds` describe all rows.
    """
    costs, assigned, margins = state
    k = prices.shape[1]
    for label in range(len(prices)):
        a, b = label_starts[label], label_starts[label + 1]
        if b - a < 20 * k:
            continue
        quotas = np.zeros(k, np.int64)
        for i in range(all_label_starts[label], all_label_starts[label + 1], step):
            quotas[all_folds[i]] += 1
        table = view_costs(costs, k, a, b)
        solve_label(table, prices[label], quotas, assigned[a:b], margins[a:b], counts[label])


@compile_loop
def update_dense_sums(X: Array, old: Array, new: Array, sums: Array) -> int:
    """Move rows that changed their fold from one sum to the other and count them. Fold -1 has no sum."""
    n_moved = 0
    for i in range(len(old)):
        s, j = old[i], new[i]
        if s != j:
            n_moved += 1
            row = X[i]
            for f in range(len(row)):
                sums[j, f] += row[f]
            if s >= 0:
                for f in range(len(row)):
                    sums[s, f] -= row[f]
    return n_moved


@compile_loop
def update_sparse_sums(X: SparseRows, old: Array, new: Array, sums: Array) -> int:
    """Do what `update_dense_sums` does for a CSR matrix."""
    data, indices, indptr = X
    n_moved = 0
    for i in range(len(old)):
        s, j = old[i], new[i]
        if s != j:
            n_moved += 1
            for entry in range(indptr[i], indptr[i + 1]):
                sums[j, indices[entry]] += data[entry]
                if s >= 0:
                    sums[s, indices[entry]] -= data[entry]
    return n_moved


@compile_loop
def measure_total_slack(costs: Array, label_starts: Array, prices: Array, assigned: Array) -> tuple[float, float]:
    """Sum over the labels the cost and the distance to the lowest cost that the prices prove possible."""
    primal = 0.0
    slack = 0.0
    for label in range(len(prices)):
        a, b = label_starts[label], label_starts[label + 1]
        cost, loss = measure_slack(view_costs(costs, prices.shape[1], a, b), prices[label], assigned[a:b])
        primal += cost
        slack += loss
    return primal, slack
