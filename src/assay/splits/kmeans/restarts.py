"""Several runs of constrained K-means from different centres, side by side, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.splits.items import take_rows
from assay.splits.kmeans.lloyd import Clustering, run_lloyd
from assay.splits.kmeans.points import LabelledPoints, prepare_matrix
from assay.splits.kmeans.seeding import draw_centres
from assay.splits.kmeans.whole_groups import run_lloyd_with_groups
from assay.tasks import run_tasks
from assay.tasks.threads import use_one_thread


@dataclass(frozen=True)
class RestartSettings:
    """How many starts K-means makes, when each ends, and where they run."""

    n_init: int
    max_iter: int
    tol: float
    n_jobs: int = 1
    backend: str | None = None


def find_best_clustering(
    X: object, labels: Array, quotas: Array, groups: Array | None, settings: RestartSettings, random_state: int
) -> Clustering:
    """Run `n_init` starts, each with its own seed, and return the one with the lowest within-cluster variance.

    Starts with fewer rows off quota come first, then tighter ones, then earlier ones. They run in threads that share
    the rows unless a back end is named; neither that nor `n_jobs` changes the result.
    """
    from joblib import effective_n_jobs

    order = np.argsort(labels, kind="stable")
    label_starts = np.searchsorted(labels[order], np.arange(len(quotas) + 1))
    matrix = prepare_matrix(X)
    is_sorted = bool((labels[:-1] <= labels[1:]).all())
    points = LabelledPoints.from_matrix(matrix if is_sorted else take_rows(matrix, order), label_starts)
    members = None if groups is None else groups[order]
    n_jobs = effective_n_jobs(settings.n_jobs)
    seeds = np.random.SeedSequence(random_state).spawn(settings.n_init)
    tasks = [(points, quotas, members, seed, settings, max(1, n_jobs // settings.n_init)) for seed in seeds]
    with use_one_thread():
        runs = run_tasks(run_start, tasks, n_jobs=min(n_jobs, settings.n_init), backend=settings.backend or "threads")
    best: Clustering = min(runs, key=lambda run: (run.n_off_quota, run.within_variance))
    return best.reorder(order)


def run_start(
    points: LabelledPoints,
    quotas: Array,
    groups: Array | None,
    seed: np.random.SeedSequence,
    settings: RestartSettings,
    n_threads: int,
) -> Clustering:
    """Draw centres and run K-means from there."""
    with use_one_thread():
        centres = draw_centres(points, quotas.shape[1], np.random.default_rng(seed))
        if groups is None:
            return run_lloyd(points, quotas, centres, settings.max_iter, settings.tol, n_threads)
        return run_lloyd_with_groups(points, quotas, groups, centres, settings.max_iter, settings.tol)
