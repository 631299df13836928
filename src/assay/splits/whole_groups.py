"""Constrained K-means that cuts no group: quotas are met as far as the groups allow."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from assay.splits.constrained import Clustering, Points, State, cost, move, within
from assay.splits.transport import transport

MAX_ROUNDS = 30  # placing groups is no exact step, so that the iteration may go round in circles


@dataclass(frozen=True)
class Groups:
    """Groups of several rows, largest first, and the rows that are alone; rows in the order of the points."""

    labels: np.ndarray
    starts: np.ndarray
    rows: np.ndarray
    single: np.ndarray

    @classmethod
    def of(cls, groups: np.ndarray, label_starts: np.ndarray) -> Groups:
        """Sort the groups by size; equal sizes keep the order in which they come up."""
        sizes = np.bincount(groups)
        labels = np.repeat(np.arange(len(label_starts) - 1), np.diff(label_starts))
        rank = np.lexsort([np.arange(len(sizes)), -sizes])
        place = np.empty(len(sizes), np.int64)
        place[rank] = np.arange(len(sizes))
        rows = np.argsort(place[groups], kind="stable")
        several = sizes[rank][sizes[rank] > 1]
        starts = np.concatenate([[0], np.cumsum(several)])
        return cls(labels, starts, rows[: starts[-1]], sizes[groups] == 1)


def cluster_groups(
    points: Points, quotas: np.ndarray, groups: np.ndarray, centres: np.ndarray, max_iter: int, tol: float
) -> Clustering:
    """Run one start: exact prices for free rows, then groups from the largest down, then the single rows exactly.

    Where the quotas are met, the gap is against the best assignment that may cut groups; else there is none (nan).
    """
    layout = Groups.of(groups, points.starts)
    state = State.of(points, quotas, centres)
    limit = tol * points.spread / points.X.shape[1] / len(points)
    converged, gap = False, nan
    for n_iterations in range(1, min(max_iter, MAX_ROUNDS) + 1):  # noqa: B007, told in the result
        before, old = state.centres, state.assigned.copy()
        gap = place(points, quotas, layout, state)
        n_moved = move(points, np.bincount(state.assigned, minlength=len(centres)), state, old)
        converged = n_moved == 0 or float(((state.centres - before) ** 2).sum()) <= limit
        if converged:
            break
    off = n_off_quota(layout.labels, state.assigned, quotas)
    return Clustering(within(points, state), state.assigned, n_iterations, nan if off else gap, converged, off)


def place(points: Points, quotas: np.ndarray, layout: Groups, state: State) -> float:
    """Give every row a fold for the centres as they are; return the gap to the best that may cut groups."""
    from assay.splits._group_kernels import group_values, place_groups
    from assay.splits._k_means_kernels import solve_labels, total_excess

    counts = cost(points, state)
    solve_labels(points.starts, state.prices, quotas, state.out, counts)
    values = group_values(state.costs, points.starts, state.prices, layout.labels, layout.starts, layout.rows)
    remaining = quotas.copy()
    place_groups(values, layout.starts, layout.rows, layout.labels, remaining, state.assigned)
    for label, (a, b) in enumerate(zip(points.starts[:-1], points.starts[1:], strict=True)):
        free = a + np.flatnonzero(layout.single[a:b])
        table = state.costs[len(state.centres) * a : len(state.centres) * b].reshape(-1, b - a)
        left = trimmed(remaining[label], len(free))
        state.assigned[free] = transport(table[:, free - a].T, left, state.prices[label]).assigned
    primal, slack = total_excess(state.costs, points.starts, state.prices, state.assigned)
    return slack / (primal + points.spread) if primal + points.spread > 0 else 0.0


def trimmed(remaining: np.ndarray, total: int) -> np.ndarray:
    """Lower quotas that sum to too much, the largest first, until they sum to the rows there are.

    >>> trimmed(np.array([3, -1, 1]), 3).tolist()
    [2, 0, 1]
    """
    quotas = np.maximum(remaining, 0)
    for _ in range(int(quotas.sum()) - total):
        quotas[quotas.argmax()] -= 1
    return quotas


def n_off_quota(labels: np.ndarray, folds: np.ndarray, quotas: np.ndarray) -> int:
    """Count the rows above the quota of their (label, fold)."""
    counts = np.bincount(labels * quotas.shape[1] + folds, minlength=quotas.size).reshape(quotas.shape)
    return int(np.maximum(counts - quotas, 0).sum())
