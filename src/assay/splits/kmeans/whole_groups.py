"""Constrained K-means that keeps groups whole: quotas are met as far as the groups allow."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from assay.base.arrays import Array
from assay.splits.kmeans.lloyd import (
    Clustering,
    LloydState,
    compute_within_variance,
    cost_rows,
    move_centres,
    relate_gap,
)
from assay.splits.kmeans.points import LabelledPoints
from assay.splits.kmeans.transport import solve_transport

MAX_ITERATIONS = 30  # placing groups is not an exact step, so the iteration may cycle


@dataclass(frozen=True)
class GroupLayout:
    """Groups of several rows, largest first, and the rows that are alone; rows in the order of the points."""

    labels: Array
    group_starts: Array
    rows: Array
    is_single: Array

    @classmethod
    def from_groups(cls, groups: Array, label_starts: Array) -> GroupLayout:
        """Sort the groups by size; equal sizes keep the order of their numbers."""
        sizes = np.bincount(groups)
        labels = np.repeat(np.arange(len(label_starts) - 1), np.diff(label_starts))
        by_size = np.lexsort([np.arange(len(sizes)), -sizes])
        ranks = np.empty(len(sizes), np.int64)
        ranks[by_size] = np.arange(len(sizes))
        rows = np.argsort(ranks[groups], kind="stable")
        sizes_of_several = sizes[by_size][sizes[by_size] > 1]
        group_starts = np.concatenate([[0], np.cumsum(sizes_of_several)])
        return cls(labels, group_starts, rows[: group_starts[-1]], sizes[groups] == 1)


def run_lloyd_with_groups(
    points: LabelledPoints, quotas: Array, groups: Array, centres: Array, max_iter: int, tol: float
) -> Clustering:
    """Iterate from `centres`: exact prices for free rows, then groups from the largest down, then the single rows.

    If the quotas are met, the gap is relative to the best assignment that may cut groups; else it is nan.
    """
    layout = GroupLayout.from_groups(groups, points.label_starts)
    state = LloydState.start(points, quotas, centres)
    limit = tol * points.total_squares / points.X.shape[1] / len(points)
    converged, gap, n_iterations = False, nan, 0
    while not converged and n_iterations < min(max_iter, MAX_ITERATIONS):
        n_iterations += 1
        previous_centres, previous = state.centres, state.assigned.copy()
        gap = assign_groups(points, quotas, layout, state)
        n_moved = move_centres(points, np.bincount(state.assigned, minlength=len(centres)), state, previous)
        converged = n_moved == 0 or float(((state.centres - previous_centres) ** 2).sum()) <= limit
    n_off_quota = count_off_quota(layout.labels, state.assigned, quotas)
    variance = compute_within_variance(points, state)
    return Clustering(variance, state.assigned, n_iterations, nan if n_off_quota else gap, converged, n_off_quota)


def assign_groups(points: LabelledPoints, quotas: Array, layout: GroupLayout, state: LloydState) -> float:
    """Assign every row to a fold for the current centres; return the gap to the best assignment that may cut groups."""
    from assay.splits.kmeans.cost_kernels import measure_total_slack, solve_labels
    from assay.splits.kmeans.group_kernels import place_groups, sum_group_values

    counts = cost_rows(points, state)
    solve_labels(points.label_starts, state.prices, quotas, state.of_rows, counts)
    values = sum_group_values(
        state.costs, points.label_starts, state.prices, layout.labels, layout.group_starts, layout.rows
    )
    remaining = quotas.copy()
    place_groups(values, layout.group_starts, layout.rows, layout.labels, remaining, state.assigned)
    for label, (a, b) in enumerate(zip(points.label_starts[:-1], points.label_starts[1:], strict=True)):
        single = a + np.flatnonzero(layout.is_single[a:b])
        table = state.costs[len(state.centres) * a : len(state.centres) * b].reshape(-1, b - a)
        left = lower_quotas(remaining[label], len(single))
        state.assigned[single] = solve_transport(table[:, single - a].T, left, state.prices[label]).assigned
    primal, slack = measure_total_slack(state.costs, points.label_starts, state.prices, state.assigned)
    return relate_gap(primal, slack, points)


def lower_quotas(remaining: Array, n_rows: int) -> Array:
    """Lower quotas that sum to more than the number of rows, the largest first, until they sum to it.

    >>> lower_quotas(np.array([3, -1, 1]), 3).tolist()
    [2, 0, 1]
    """
    quotas = np.maximum(remaining, 0)
    for _ in range(int(quotas.sum()) - n_rows):
        quotas[quotas.argmax()] -= 1
    return quotas


def count_off_quota(labels: Array, folds: Array, quotas: Array) -> int:
    """Count the rows above the quota of their (label, fold)."""
    counts = np.bincount(labels * quotas.shape[1] + folds, minlength=quotas.size).reshape(quotas.shape)
    return int(np.maximum(counts - quotas, 0).sum())
