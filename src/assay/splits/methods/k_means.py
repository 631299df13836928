"""Folds of similar rows, of whatever size the clusters have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.splits.assignments import FoldAssignment
from assay.splits.base import FoldSplitter
from assay.splits.items import SplitItems
from assay.splits.kmeans.points import measure_within_variance, prepare_matrix, sum_groups
from assay.splits.methods.sds_k_means import ClusterDetails, check_iterations
from assay.splits.registry import SPLITS


@SPLITS.add("k-means")
@dataclass(frozen=True, kw_only=True)
class KMeansSplit(FoldSplitter):
    """Make folds of similar rows by scikit-learn's K-means; sizes and labels vary between folds (Wecker et al. 2020).

    Groups are clustered by their means, weighted by their rows, and stay whole.

    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [9.1], [9.2]])
    >>> np.bincount(KMeansSplit(n_splits=2).assign(X).folds).tolist()[1:]
    [4, 2]
    """

    details_type = ClusterDetails

    n_init: int = 8
    encoder: Any = "tfidf"
    max_iter: int = 300
    tol: float = 1e-4

    def represent(self, items: SplitItems) -> Matrix:
        """Return one vector per row."""
        return items.encode(self.encoder, self.random_state)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_iterations(self.n_init, self.max_iter)

    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:  # noqa: ARG002
        rows = prepare_matrix(X)
        model = self._fit(rows, groups, random_state)
        folds = number_clusters(model.labels_ if groups is None else model.labels_[groups])
        details = ClusterDetails(
            within_variance=measure_within_variance(rows, folds - 1),
            n_iterations=int(model.n_iter_),
            gap=0.0,
            converged=bool(model.n_iter_ < self.max_iter),
            n_init=self.n_init,
        )
        return FoldAssignment(folds, details)

    def _fit(self, X: Matrix, groups: Array | None, random_state: int) -> Any:
        import warnings

        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

        seed = random_state % 2**32
        model = KMeans(self.n_folds, n_init=self.n_init, max_iter=self.max_iter, tol=self.tol, random_state=seed)
        with warnings.catch_warnings():
            # Fewer distinct rows than folds: the error about empty folds says it.
            warnings.simplefilter("ignore", ConvergenceWarning)
            if groups is None:
                return model.fit(X)
            sizes = np.bincount(groups)
            return model.fit(sum_groups(X, groups) / sizes[:, None], sample_weight=sizes)


def number_clusters(clusters: Array) -> Array:
    """Number clusters from 1, in the order of their first rows.

    >>> number_clusters(np.array([2, 0, 2, 1])).tolist()
    [1, 2, 1, 3]
    """
    _, first, codes = np.unique(clusters, return_index=True, return_inverse=True)
    numbers = np.empty(len(first), np.int64)
    numbers[np.argsort(first)] = np.arange(1, len(first) + 1)
    return numbers[codes]
