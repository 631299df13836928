"""Compiled: assign rows to folds of fixed sizes at least cost, by one price per fold and shortest paths between them.

A row goes to the fold where cost + price is lowest. Folds with too many rows pass some on along shortest paths in the
graph of the k folds, where the edge s → j costs what the cheapest row of s loses by moving to j. The path lengths
become new prices, so that at the end every row is still in the fold where cost + price is lowest: this certifies that
the assignment is optimal. Cost tables are folds × rows.
"""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.base.loops import compile_loop

BLOCK_ROWS = 128  # rows whose products stay in the first-level cache
SAMPLE_STEPS = (4096, 512, 64, 8)
Heaps = tuple[Array, Array, Array, Array]  # pairing heaps in shared arrays: key, row, first child, next sibling


@compile_loop
def offer_fold(costs: Array, price: float, fold: int, best: Array, second: Array, assigned: Array) -> None:
    """Offer one more fold to a block of rows; without branches, so that it is vectorised."""
    for i in range(len(costs)):
        value = costs[i] + price
        second[i] = min(second[i], max(best[i], value))
        assigned[i] = fold if value < best[i] else assigned[i]
        best[i] = min(best[i], value)


@compile_loop
def assign_cheapest(costs: Array, prices: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Put each row where cost + price is lowest, and write by how much the second best fold costs more."""
    k, n = costs.shape
    counts[:] = 0
    best = np.empty(min(n, BLOCK_ROWS))
    for start in range(0, n, BLOCK_ROWS):
        stop = min(n, start + BLOCK_ROWS)
        best[:] = np.inf
        margins[start:stop] = np.inf
        for j in range(k):
            offer_fold(costs[j, start:stop], prices[j], j, best, margins[start:stop], assigned[start:stop])
        for i in range(start, stop):
            margins[i] -= best[i - start]
            counts[assigned[i]] += 1


@compile_loop
def merge_heaps(key: Array, child: Array, sibling: Array, a: int, b: int) -> int:
    """Merge two pairing heaps and return the root."""
    if a < 0:
        return b
    if b < 0:
        return a
    if key[b] < key[a]:
        a, b = b, a
    sibling[b] = child[a]
    child[a] = b
    return a


@compile_loop
def remove_root(key: Array, child: Array, sibling: Array, root: int) -> int:
    """Remove the root of a pairing heap and return the new root."""
    node = child[root]
    pairs = -1
    while node >= 0:
        partner = sibling[node]
        after = sibling[partner] if partner >= 0 else -1
        sibling[node] = -1
        if partner >= 0:
            sibling[partner] = -1
        pair = merge_heaps(key, child, sibling, node, partner)
        sibling[pair] = pairs
        pairs = pair
        node = after
    top = -1
    while pairs >= 0:
        after = sibling[pairs]
        sibling[pairs] = -1
        top = merge_heaps(key, child, sibling, top, pairs)
        pairs = after
    return top


@compile_loop
def add_row(values: Array, i: int, s: int, reach: float, heaps: Heaps, roots: Array, n_used: int) -> int:
    """Add row i of fold s to the heaps of the folds within reach, and return the number of heap entries in use."""
    key, row, child, sibling = heaps
    for j in range(values.shape[1]):
        extra = values[i, j] - values[i, s]
        if extra <= reach and j != s:
            key[n_used] = extra
            row[n_used] = i
            child[n_used] = -1
            sibling[n_used] = -1
            roots[s, j] = merge_heaps(key, child, sibling, roots[s, j], n_used)
            n_used += 1
    return n_used


@compile_loop
def build_heaps(values: Array, assigned: Array, reach: float, roots: Array) -> tuple[Heaps, int]:
    """Add all rows to new heaps, with some free entries for rows that move."""
    n, k = values.shape
    size = 16 * k
    for i in range(n):
        for j in range(k):
            size += values[i, j] - values[i, assigned[i]] <= reach
    links = np.empty((3, size), np.int32)
    heaps = (np.empty(size), links[0], links[1], links[2])
    n_used = 0
    for i in range(n):
        n_used = add_row(values, i, assigned[i], reach, heaps, roots, n_used)
    return heaps, n_used


@compile_loop
def update_edges(s: int, assigned: Array, heaps: Heaps, roots: Array, edges: Array) -> None:
    """Remove rows that have left fold s from the tops of its heaps, and write the costs of the edges from s."""
    key, row, child, sibling = heaps
    for j in range(len(edges)):
        root = roots[s, j]
        while root >= 0 and assigned[row[root]] != s:
            root = remove_root(key, child, sibling, root)
        roots[s, j] = root
        edges[s, j] = key[root] if root >= 0 else np.inf


@compile_loop
def enlarge_heaps(heaps: Heaps, n_used: int, n_more: int) -> Heaps:
    """Return the heaps with space for `n_more` entries."""
    key, row, child, sibling = heaps
    size = max(2 * len(key), n_used + n_more)
    new_key = np.empty(size)
    links = np.empty((3, size), np.int32)
    new_key[:n_used] = key[:n_used]
    links[0, :n_used] = row[:n_used]
    links[1, :n_used] = child[:n_used]
    links[2, :n_used] = sibling[:n_used]
    return new_key, links[0], links[1], links[2]


@compile_loop
def find_nearest_deficit(edges: Array, reduction: Array, missing: Array, distance: Array, parent: Array) -> int:
    """Run Dijkstra's search from all folds with too many rows to the nearest one with too few; -1 if there is none."""
    k = len(reduction)
    done = np.zeros(k, np.bool_)
    for j in range(k):
        distance[j] = 0.0 if missing[j] < 0 else np.inf
        parent[j] = -1
    for _ in range(k):
        fold = -1
        for j in range(k):
            if not done[j] and (fold < 0 or distance[j] < distance[fold]):
                fold = j
        if distance[fold] == np.inf:
            return -1
        if missing[fold] > 0:
            return fold
        done[fold] = True
        for j in range(k):
            if not done[j]:
                step = distance[fold] + max(0.0, edges[fold, j] + reduction[fold] - reduction[j])
                if step < distance[j]:
                    distance[j] = step
                    parent[j] = fold
    return -1


@compile_loop
def move_along_paths(values: Array, assigned: Array, missing: Array, reach: float, reduction: Array) -> None:
    """Move rows along shortest paths until no fold misses any, or until prices would differ by more than `reach`.

    `values` are costs + prices, `assigned` the folds of these rows, `reduction` what has to be subtracted from the
    prices. Whenever it ends, every row is in the fold where value − reduction is lowest.
    """
    k = len(reduction)
    roots = np.full((k, k), -1, np.int32)
    edges = np.empty((k, k))
    heaps, n_used = build_heaps(values, assigned, reach, roots)
    for s in range(k):
        update_edges(s, assigned, heaps, roots, edges)
    distance = np.empty(k)
    parent = np.empty(k, np.int64)
    while missing.max() > 0:
        target = find_nearest_deficit(edges, reduction, missing, distance, parent)
        if target < 0:
            return
        raised = reduction + np.minimum(distance, distance[target])
        if raised.max() - raised.min() > reach:
            return
        reduction[:] = raised
        missing[target] -= 1
        while parent[target] >= 0:
            source = parent[target]
            i = heaps[1][roots[source, target]]
            assigned[i] = target
            if n_used + k > len(heaps[0]):
                heaps = enlarge_heaps(heaps, n_used, k)
            n_used = add_row(values, i, target, reach, heaps, roots, n_used)
            update_edges(source, assigned, heaps, roots, edges)
            update_edges(target, assigned, heaps, roots, edges)
            target = source
        missing[target] += 1


@compile_loop
def estimate_reach(margins: Array, n_surplus: int, k: int) -> float:
    """Estimate from a sample of the margins how far from a boundary rows will have to move."""
    n = len(margins)
    sample = np.sort(margins[:: max(1, n // 1024)])
    share = min(1.0, (4.0 * n_surplus + 20.0 * k) / n)
    return float(sample[int(share * (len(sample) - 1))])


@compile_loop
def add_prices(costs: Array, prices: Array, rows: Array) -> Array:
    """Return cost + price of some rows, as a table rows × folds."""
    values = np.empty((len(rows), len(prices)))
    for j in range(len(prices)):
        for i in range(len(rows)):
            values[i, j] = costs[j, rows[i]] + prices[j]
    return values


@compile_loop
def fill_quotas(costs: Array, prices: Array, quotas: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Change the cheapest assignment until every fold holds its quota, at least total cost.

    Only rows within reach of a boundary are considered; the reach grows as long as they do not suffice.
    """
    missing = quotas - counts
    n_surplus = np.maximum(missing, 0).sum()
    if n_surplus == 0:
        return
    reach = estimate_reach(margins, n_surplus, len(prices))
    drift = 0.0
    while missing.max() > 0:
        rows = np.flatnonzero(margins <= reach + drift)
        folds = assigned[rows]
        reduction = np.zeros(len(prices))
        move_along_paths(add_prices(costs, prices, rows), folds, missing, reach, reduction)
        assigned[rows] = folds
        prices -= reduction
        drift += reduction.max() - reduction.min()
        reach = 3.0 * reach if reach > 0 else float(margins.mean()) + 1e-12
    counts[:] = quotas


@compile_loop
def scale_quotas(quotas: Array, n_sample: int) -> Array:
    """Scale quotas to a sample so that they sum to its size."""
    total = quotas.sum()
    scaled = np.empty_like(quotas)
    cumulative = 0
    n_given = 0
    for j in range(len(quotas)):
        cumulative += quotas[j]
        scaled[j] = cumulative * n_sample // total - n_given
        n_given += scaled[j]
    return scaled


@compile_loop
def solve_label(costs: Array, prices: Array, quotas: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Assign the rows of one label; far from the quotas, find the prices on samples first.

    `assigned`, `margins` and `counts` are those of `assign_cheapest` at these prices.
    """
    k, n = costs.shape
    n_surplus = np.maximum(quotas - counts, 0).sum()
    if n_surplus > 2.0 * np.sqrt(n * k) and n > 1000:
        for step in SAMPLE_STEPS:
            if n // step >= 250:
                sample = costs[:, ::step].copy()
                size = sample.shape[1]
                assign_cheapest(sample, prices, assigned[:size], margins[:size], counts)
                fill_quotas(sample, prices, scale_quotas(quotas, size), assigned[:size], margins[:size], counts)
        assign_cheapest(costs, prices, assigned, margins, counts)
    fill_quotas(costs, prices, quotas, assigned, margins, counts)


@compile_loop
def measure_slack(costs: Array, prices: Array, assigned: Array) -> tuple[float, float]:
    """Return the cost of an assignment, and what its rows lose against the fold where cost + price is lowest."""
    primal = 0.0
    slack = 0.0
    for i in range(len(assigned)):
        best = np.inf
        for j in range(len(prices)):
            best = min(best, costs[j, i] + prices[j])
        cost = costs[assigned[i], i]
        primal += cost
        slack += cost + prices[assigned[i]] - best
    return primal, slack
