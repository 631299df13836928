"""Compiled: rows into folds of fixed sizes at least cost, by one price a fold and shortest paths between folds.

A row goes where cost + price is least. Folds with too many rows pass some on along shortest paths in the graph of the k
folds, whose edge s → j costs what the cheapest row of s to move loses. The distances become new prices, so that at the
end every row still stands where cost + price is least: that is the certificate of optimality.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = Any
SAMPLE_STEPS = (4096, 512, 64, 8)


@njit(cache=True, nogil=True)
def cheapest(costs: Array, prices: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Put each row where cost + price is least; note by how much the second best is dearer."""
    n, k = costs.shape
    counts[:] = 0
    for i in range(n):
        best = np.inf
        second = np.inf
        fold = 0
        for j in range(k):
            value = costs[i, j] + prices[j]
            lower = value < best
            second = min(second, max(best, value))
            best = min(best, value)
            fold = j if lower else fold
        assigned[i] = fold
        margins[i] = second - best
        counts[fold] += 1


@njit(cache=True, nogil=True)
def meld(key: Array, child: Array, sibling: Array, a: int, b: int) -> int:
    """Join two pairing heaps and return the root."""
    if a < 0:
        return b
    if b < 0:
        return a
    if key[b] < key[a]:
        a, b = b, a
    sibling[b] = child[a]
    child[a] = b
    return a


@njit(cache=True, nogil=True)
def without_root(key: Array, child: Array, sibling: Array, root: int) -> int:
    """Drop the root of a pairing heap and return the new one."""
    node = child[root]
    pairs = -1
    while node >= 0:
        partner = sibling[node]
        after = sibling[partner] if partner >= 0 else -1
        sibling[node] = -1
        if partner >= 0:
            sibling[partner] = -1
        pair = meld(key, child, sibling, node, partner)
        sibling[pair] = pairs
        pairs = pair
        node = after
    top = -1
    while pairs >= 0:
        after = sibling[pairs]
        sibling[pairs] = -1
        top = meld(key, child, sibling, top, pairs)
        pairs = after
    return top


@njit(cache=True, nogil=True)
def n_moves(costs: Array, prices: Array, i: int, s: int, reach: float) -> int:
    """Count the folds to which row i of fold s could move within reach."""
    here = costs[i, s] + prices[s]
    n = 0
    for j in range(costs.shape[1]):
        n += j != s and costs[i, j] + prices[j] - here <= reach
    return n


@njit(cache=True, nogil=True)
def offer(costs: Array, prices: Array, i: int, s: int, reach: float, heaps: Array, roots: Array, used: int) -> int:
    """Enter row i of fold s in the heaps of the folds within reach."""
    key, item, child, sibling = heaps
    here = costs[i, s] + prices[s]
    for j in range(costs.shape[1]):
        extra = costs[i, j] + prices[j] - here
        if j != s and extra <= reach:
            key[used] = extra
            item[used] = i
            child[used] = -1
            sibling[used] = -1
            roots[s, j] = meld(key, child, sibling, roots[s, j], used)
            used += 1
    return used


@njit(cache=True, nogil=True)
def refresh(s: int, assigned: Array, heaps: Array, roots: Array, edges: Array) -> None:
    """Drop rows that have left fold s from the tops of its heaps, and note the edges that remain."""
    key, item, child, sibling = heaps
    for j in range(len(edges)):
        root = roots[s, j]
        while root >= 0 and assigned[item[root]] != s:
            root = without_root(key, child, sibling, root)
        roots[s, j] = root
        edges[s, j] = key[root] if root >= 0 else np.inf


@njit(cache=True, nogil=True)
def enlarged(heaps: Array, used: int, extra: int) -> Array:
    """Return the heaps with room for `extra` more entries."""
    key, item, child, sibling = heaps
    size = max(2 * len(key), used + extra)
    new_key = np.empty(size)
    links = np.empty((3, size), np.int32)
    new_key[:used] = key[:used]
    links[0, :used] = item[:used]
    links[1, :used] = child[:used]
    links[2, :used] = sibling[:used]
    return new_key, links[0], links[1], links[2]


@njit(cache=True, nogil=True)
def nearest_deficit(edges: Array, lift: Array, missing: Array, distance: Array, parent: Array) -> int:
    """Run Dijkstra's search from all folds with too many rows to the nearest with too few; -1 where none is reached."""
    k = len(lift)
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
                step = distance[fold] + max(0.0, edges[fold, j] + lift[fold] - lift[j])
                if step < distance[j]:
                    distance[j] = step
                    parent[j] = fold
    return -1


@njit(cache=True, nogil=True)
def settle(costs: Array, prices: Array, missing: Array, rows: Array, assigned: Array, reach: float) -> bool:
    """Move rows along shortest paths until no fold misses any, and lower the prices; False if reach is too small.

    Only `rows`, those within reach of a boundary, can move, which is right as long as no two prices part by more.
    """
    k = len(prices)
    total = 0
    for i in rows:
        total += n_moves(costs, prices, i, assigned[i], reach)
    links = np.empty((3, total), np.int32)
    heaps = (np.empty(total), links[0], links[1], links[2])
    roots = np.full((k, k), -1, np.int32)
    edges = np.empty((k, k))
    used = 0
    for i in rows:
        used = offer(costs, prices, i, assigned[i], reach, heaps, roots, used)
    for s in range(k):
        refresh(s, assigned, heaps, roots, edges)
    lift = np.zeros(k)
    distance = np.empty(k)
    parent = np.empty(k, np.int64)
    while missing.max() > 0:
        target = nearest_deficit(edges, lift, missing, distance, parent)
        if target < 0:
            return False
        for j in range(k):
            lift[j] += min(distance[j], distance[target])
        if lift.max() - lift.min() > reach:
            return False
        missing[target] -= 1
        while parent[target] >= 0:
            source = parent[target]
            i = heaps[1][roots[source, target]]
            assigned[i] = target
            if used + k > len(heaps[0]):
                heaps = enlarged(heaps, used, k)
            used = offer(costs, prices, i, target, reach, heaps, roots, used)
            refresh(source, assigned, heaps, roots, edges)
            refresh(target, assigned, heaps, roots, edges)
            target = source
        missing[target] += 1
    prices -= lift
    return True


@njit(cache=True, nogil=True)
def first_reach(margins: Array, surplus: int, k: int) -> float:
    """Guess how far from a boundary rows will have to move, from a sample of the margins."""
    n = len(margins)
    sample = np.sort(margins[:: max(1, n // 4096)])
    share = min(1.0, (4.0 * surplus + 20.0 * k) / n)
    return float(sample[int(share * (len(sample) - 1))])


@njit(cache=True, nogil=True)
def balance(costs: Array, prices: Array, quotas: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Mend the cheapest assignment until every fold holds its quota, at least total cost."""
    missing = quotas - counts
    surplus = np.maximum(missing, 0).sum()
    if surplus == 0:
        return
    reach = first_reach(margins, surplus, len(prices))
    while True:
        rows = np.flatnonzero(margins <= reach)
        before = assigned[rows]
        if settle(costs, prices, missing.copy(), rows, assigned, reach):
            break
        assigned[rows] = before
        reach = max(4.0 * reach, float(margins.mean()), 1e-12)
    counts[:] = quotas


@njit(cache=True, nogil=True)
def balance_sample(costs: Array, prices: Array, quotas: Array) -> None:
    """Find the prices for a few rows, whose quotas are given, and keep nothing else."""
    n = len(costs)
    assigned = np.empty(n, np.int32)
    margins = np.empty(n)
    counts = np.empty(len(prices), np.int64)
    cheapest(costs, prices, assigned, margins, counts)
    balance(costs, prices, quotas, assigned, margins, counts)


@njit(cache=True, nogil=True)
def share_of(quotas: Array, n_sample: int) -> Array:
    """Scale quotas to a sample so that they sum to its size."""
    total = quotas.sum()
    shares = np.empty_like(quotas)
    upto = 0
    given = 0
    for j in range(len(quotas)):
        upto += quotas[j]
        shares[j] = upto * n_sample // total - given
        given += shares[j]
    return shares


@njit(cache=True, nogil=True)
def solve(costs: Array, prices: Array, quotas: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Assign the rows of one label; far from the quotas, find the prices on samples first.

    `assigned`, `margins` and `counts` are those of `cheapest` at these prices.
    """
    n, k = costs.shape
    surplus = np.maximum(quotas - counts, 0).sum()
    if surplus > 2.0 * np.sqrt(n * k) and n > 1000:
        for step in SAMPLE_STEPS:
            if n // step >= 250:
                sample = costs[::step].copy()
                balance_sample(sample, prices, share_of(quotas, len(sample)))
        cheapest(costs, prices, assigned, margins, counts)
    balance(costs, prices, quotas, assigned, margins, counts)


@njit(cache=True, nogil=True)
def excess(costs: Array, prices: Array, assigned: Array) -> tuple[float, float]:
    """Return the cost of an assignment, and what its rows lose against the place where cost + price is least."""
    primal = 0.0
    slack = 0.0
    for i in range(len(costs)):
        best = np.inf
        for j in range(len(prices)):
            best = min(best, costs[i, j] + prices[j])
        here = costs[i, assigned[i]]
        primal += here
        slack += here + prices[assigned[i]] - best
    return primal, slack
