"""Several starts of constrained K-means, side by side, and the best of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from assay.base.errors import AssayError
from assay.splits.constrained import Clustering, Points, cluster, floats
from assay.splits.seeding import plus_plus

LARGEST, LARGEST_SINGLE = 1e140, 1e12


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
    rows = bounded(floats(X))
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


def bounded(X: Any) -> Any:
    """Return the rows, in float64 where their squares would overflow float32; refuse nan and infinity."""
    values = X.data if sparse.issparse(X) else X
    largest = float(np.abs([values.max(), values.min()]).max()) if values.size else 0.0
    if not largest < LARGEST:
        raise AssayError(f"The vectors hold nan, infinity or values of {LARGEST:g} and more, which K-means cannot use.")
    return X.astype(np.float64) if X.dtype == np.float32 and largest > LARGEST_SINGLE else X


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
