"""Compiled: rows into folds of fixed sizes at least cost, by one price a fold and shortest paths between folds.

A row goes where cost + price is least. Folds with too many rows pass some on along shortest paths in the graph of the k
folds, whose edge s → j costs what the cheapest row of s to move loses. The distances become new prices, so that at the
end every row still stands where cost + price is least: that is the certificate of optimality. Costs are folds × rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

Array = Any
BLOCK = 128  # rows whose products stay in the first cache
SAMPLE_STEPS = (4096, 512, 64, 8)


@njit(cache=True, nogil=True)
def compare(costs: Array, price: float, fold: int, best: Array, second: Array, assigned: Array) -> None:
    """Offer one more fold to a block of rows; without branches, so that it runs on vectors."""
    for i in range(len(costs)):
        value = costs[i] + price
        second[i] = min(second[i], max(best[i], value))
        assigned[i] = fold if value < best[i] else assigned[i]
        best[i] = min(best[i], value)


@njit(cache=True, nogil=True)
def cheapest(costs: Array, prices: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Put each row where cost + price is least; note by how much the second best is dearer."""
    k, n = costs.shape
    counts[:] = 0
    best = np.empty(min(n, BLOCK))
    for start in range(0, n, BLOCK):
        stop = min(n, start + BLOCK)
        best[:] = np.inf
        margins[start:stop] = np.inf
        for j in range(k):
            compare(costs[j, start:stop], prices[j], j, best, margins[start:stop], assigned[start:stop])
        for i in range(start, stop):
            margins[i] -= best[i - start]
            counts[assigned[i]] += 1


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
def offer(values: Array, i: int, s: int, reach: float, heaps: Array, roots: Array, used: int) -> int:
    """Enter row i of fold s in the heaps of the folds within reach."""
    key, item, child, sibling = heaps
    for j in range(values.shape[1]):
        extra = values[i, j] - values[i, s]
        if extra <= reach and j != s:
            key[used] = extra
            item[used] = i
            child[used] = -1
            sibling[used] = -1
            roots[s, j] = meld(key, child, sibling, roots[s, j], used)
            used += 1
    return used


@njit(cache=True, nogil=True)
def filled_heaps(values: Array, own: Array, reach: float, roots: Array) -> tuple[Array, int]:
    """Enter all rows in new heaps, with some room for rows that move."""
    n, k = values.shape
    size = 16 * k
    for i in range(n):
        for j in range(k):
            size += values[i, j] - values[i, own[i]] <= reach
    links = np.empty((3, size), np.int32)
    heaps = (np.empty(size), links[0], links[1], links[2])
    used = 0
    for i in range(n):
        used = offer(values, i, own[i], reach, heaps, roots, used)
    return heaps, used


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
def pass_on(values: Array, own: Array, missing: Array, reach: float, lift: Array) -> None:
    """Move rows along shortest paths until no fold misses any, or prices would part by more than reach.

    `values` are costs + prices, `own` the folds of these rows; `lift` is what prices have to come down by. Whenever it
    ends, every row stands where value − lift is least.
    """
    k = len(lift)
    roots = np.full((k, k), -1, np.int32)
    edges = np.empty((k, k))
    heaps, used = filled_heaps(values, own, reach, roots)
    for s in range(k):
        refresh(s, own, heaps, roots, edges)
    distance = np.empty(k)
    parent = np.empty(k, np.int64)
    while missing.max() > 0:
        target = nearest_deficit(edges, lift, missing, distance, parent)
        if target < 0:
            return
        raised = lift + np.minimum(distance, distance[target])
        if raised.max() - raised.min() > reach:
            return
        lift[:] = raised
        missing[target] -= 1
        while parent[target] >= 0:
            source = parent[target]
            i = heaps[1][roots[source, target]]
            own[i] = target
            if used + k > len(heaps[0]):
                heaps = enlarged(heaps, used, k)
            used = offer(values, i, target, reach, heaps, roots, used)
            refresh(source, own, heaps, roots, edges)
            refresh(target, own, heaps, roots, edges)
            target = source
        missing[target] += 1


@njit(cache=True, nogil=True)
def first_reach(margins: Array, surplus: int, k: int) -> float:
    """Guess how far from a boundary rows will have to move, from a sample of the margins."""
    n = len(margins)
    sample = np.sort(margins[:: max(1, n // 1024)])
    share = min(1.0, (4.0 * surplus + 20.0 * k) / n)
    return float(sample[int(share * (len(sample) - 1))])


@njit(cache=True, nogil=True)
def values_of(costs: Array, prices: Array, rows: Array) -> Array:
    """Return cost + price of some rows, rows × folds."""
    values = np.empty((len(rows), len(prices)))
    for j in range(len(prices)):
        for i in range(len(rows)):
            values[i, j] = costs[j, rows[i]] + prices[j]
    return values


@njit(cache=True, nogil=True)
def balance(costs: Array, prices: Array, quotas: Array, assigned: Array, margins: Array, counts: Array) -> None:
    """Mend the cheapest assignment until every fold holds its quota, at least total cost.

    Only rows within reach of a boundary are looked at, and looked for further away as long as they do not suffice.
    """
    missing = quotas - counts
    surplus = np.maximum(missing, 0).sum()
    if surplus == 0:
        return
    reach = first_reach(margins, surplus, len(prices))
    drift = 0.0
    while missing.max() > 0:
        rows = np.flatnonzero(margins <= reach + drift)
        own = assigned[rows]
        lift = np.zeros(len(prices))
        pass_on(values_of(costs, prices, rows), own, missing, reach, lift)
        assigned[rows] = own
        prices -= lift
        drift += lift.max() - lift.min()
        reach = 3.0 * reach if reach > 0 else float(margins.mean()) + 1e-12
    counts[:] = quotas


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
    k, n = costs.shape
    surplus = np.maximum(quotas - counts, 0).sum()
    if surplus > 2.0 * np.sqrt(n * k) and n > 1000:
        for step in SAMPLE_STEPS:
            if n // step >= 250:
                sample = costs[:, ::step].copy()
                size = sample.shape[1]
                cheapest(sample, prices, assigned[:size], margins[:size], counts)
                balance(sample, prices, share_of(quotas, size), assigned[:size], margins[:size], counts)
        cheapest(costs, prices, assigned, margins, counts)
    balance(costs, prices, quotas, assigned, margins, counts)


@njit(cache=True, nogil=True)
def excess(costs: Array, prices: Array, assigned: Array) -> tuple[float, float]:
    """Return the cost of an assignment, and what its rows lose against the place where cost + price is least."""
    primal = 0.0
    slack = 0.0
    for i in range(len(assigned)):
        best = np.inf
        for j in range(len(prices)):
            best = min(best, costs[j, i] + prices[j])
        here = costs[assigned[i], i]
        primal += here
        slack += here + prices[assigned[i]] - best
    return primal, slack
