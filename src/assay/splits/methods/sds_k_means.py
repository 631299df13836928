"""Folds of similar rows that all have the same size and the same label distribution."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import UsageError
from assay.base.parameters import check_integer
from assay.splits.assignments import Assignment, FoldAssignment, SplitDetails
from assay.splits.base import FoldSplitter
from assay.splits.groups import number_labels
from assay.splits.items import Ready, Rows, SplitItems
from assay.splits.kmeans.quotas import LabelShares, compute_even_quotas, compute_quotas
from assay.splits.registry import SPLITS


@dataclass(frozen=True)
class ClusterDetails(SplitDetails):
    """How tight folds made of clusters are, and how they were found.

    `gap` is (primal − dual) / primal of the last assignment for its centres and quotas: 0 is proven optimal. It does
    not measure how good the centres are. `n_off_quota` counts rows above a quota: 0 unless groups had to stay whole.
    """

    within_variance: float
    n_iterations: int
    gap: float
    converged: bool
    n_init: int
    n_off_quota: int = 0


@SPLITS.add("sds-k-means")
@dataclass(frozen=True, kw_only=True)
class SDSKMeansSplit(FoldSplitter):
    """Make folds of similar rows, of equal size, and with the label distribution of the whole (Wecker et al. 2020).

    K-means whose assignment step fills the quota of every (label, fold) exactly and at least cost; of `n_init` starts
    by k-means++ the one with the lowest within-cluster variance is kept. `label_shares` requests other label
    distributions (see `compute_quotas`). `n_jobs` and `backend` say where the starts run and change no result. Groups
    stay whole; `details.n_off_quota` counts the rows by which they miss a quota.

    >>> X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    >>> SDSKMeansSplit(n_splits=2).assign(X, list("aababb")).folds.tolist()
    [1, 1, 1, 2, 2, 2]
    """

    details_type = ClusterDetails

    n_init: int = 8
    encoder: Any = "tfidf"
    max_iter: int = 300
    tol: float = 1e-5
    label_shares: LabelShares | None = None
    n_jobs: int = field(default=-1, repr=False, compare=False)
    backend: str | None = field(default=None, repr=False, compare=False)

    def represent(self, items: SplitItems) -> Matrix:
        """Return one vector per row."""
        return items.encode(self.encoder, self.random_state)

    def draw_partitions(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        n_jobs: int = 1,
        backend: str | None = None,
        **ready: Unpack[Ready],
    ) -> list[Assignment]:
        """Return all repeats one after the other; the starts of each run side by side."""
        splitter = replace(self, n_jobs=n_jobs, backend=backend)
        return list(splitter.iterate_partitions(X, y, groups, **ready))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_iterations(self.n_init, self.max_iter)

    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:
        if y is None:
            raise UsageError(
                f"The {self.name} split needs labels. Without labels, same-size-k-means makes folds of equal size."
            )
        names, labels = number_labels(y)
        counts = np.bincount(labels, minlength=len(names))
        if self.label_shares is None:
            quotas = compute_even_quotas(counts, self.n_folds)
        else:
            quotas = compute_quotas(names, counts, self.n_folds, self.label_shares)
        return self._cluster(X, labels, quotas, groups, random_state)

    def _cluster(
        self, X: Matrix, labels: Array, quotas: Array, groups: Array | None, random_state: int
    ) -> FoldAssignment:
        from assay.splits.kmeans.restarts import RestartSettings, find_best_clustering

        settings = RestartSettings(self.n_init, self.max_iter, self.tol, self.n_jobs, self.backend)
        best = find_best_clustering(X, labels, quotas, groups, settings, random_state)
        details = ClusterDetails(
            within_variance=best.within_variance,
            n_iterations=best.n_iterations,
            gap=best.gap,
            converged=best.converged,
            n_init=self.n_init,
            n_off_quota=best.n_off_quota,
        )
        return FoldAssignment(best.folds + 1, details)


def check_iterations(n_init: int, max_iter: int) -> None:
    """Refuse K-means without a start or without an iteration."""
    check_integer("n_init", n_init, 1)
    check_integer("max_iter", max_iter, 1)
