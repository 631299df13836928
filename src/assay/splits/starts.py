"""Several starts of constrained K-means, side by side, and the best of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.splits.constrained import Clustering, Points, cluster, floats
from assay.splits.seeding import plus_plus


def best_of(
    X: Any,
    labels: np.ndarray,
    quotas: np.ndarray,
    groups: np.ndarray | None,
    n_init: int,
    limits: tuple[int, float],
    random_state: int,
    n_jobs: int = -1,
) -> Clustering:
    """Run `n_init` starts, each with its own seed, and return the one with the lowest within-cluster variance.

    Threads share the rows. Starts that leave fewer rows off quota come first, then tighter ones, then earlier ones.
    """
    from joblib import Parallel, delayed, effective_n_jobs
    from threadpoolctl import threadpool_limits

    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(len(quotas) + 1))
    rows = floats(X)
    points = Points.of(rows if (labels[:-1] <= labels[1:]).all() else rows[order], starts)
    members = None if groups is None else groups[order]
    n_threads = effective_n_jobs(n_jobs)
    seeds = np.random.SeedSequence(random_state).spawn(n_init)
    job = delayed(one_start)
    with threadpool_limits(1, "blas"):
        done = Parallel(n_jobs=min(n_threads, n_init), backend="threading")(
            job(points, quotas, members, seed, limits, max(1, n_threads // n_init)) for seed in seeds
        )
    best = min(done, key=lambda found: (found.n_off_quota, found.within_variance))
    return best.reordered(order)


def one_start(
    points: Points,
    quotas: np.ndarray,
    groups: np.ndarray | None,
    seed: np.random.SeedSequence,
    limits: tuple[int, float],
    n_threads: int,
) -> Clustering:
    """Draw centres and run K-means from there."""
    centres = plus_plus(points, quotas.shape[1], np.random.default_rng(seed))
    if groups is None:
        return cluster(points, quotas, centres, *limits, n_threads)
    from assay.splits.whole_groups import cluster_groups

    return cluster_groups(points, quotas, groups, centres, *limits)
