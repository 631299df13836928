"""Folds of similar rows, as large as they happen to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.errors import UsageError
from assay.splits.base import Assignment, FoldSplitter, vectors
from assay.splits.sds_k_means import ClusterAssignment


@dataclass(frozen=True, kw_only=True)
class KMeansSplit(FoldSplitter):
    """Make folds of similar rows by scikit-learn's K-means; sizes and labels vary from fold to fold (paper 001).

    Groups are clustered by their means, weighted by their rows, and stay whole.

    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [9.1], [9.2]])
    >>> np.bincount(KMeansSplit(n_splits=2).assign(X).folds).tolist()[1:]
    [4, 2]
    """

    name: ClassVar[str] = "k-means"

    n_init: int = 8
    encoder: Any = "tfidf"
    max_iter: int = 300
    tol: float = 1e-4

    def represent(self, X: Any) -> Any:
        """Return one vector a row."""
        return vectors(X, self.encoder, self.random_state)

    def _check(self) -> None:
        super()._check()
        if self.n_init < 1 or self.max_iter < 1:
            raise UsageError(f"n_init and max_iter must be at least 1, not {self.n_init} and {self.max_iter}.")

    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:  # noqa: ARG002
        from assay.splits.constrained import floats
        from assay.splits.starts import bounded

        rows = bounded(floats(X))
        found = self._fitted(rows, groups, random_state)
        folds = numbered(found.labels_ if groups is None else found.labels_[groups])
        return ClusterAssignment(
            folds=folds,
            within_variance=within_variance(rows, folds - 1),
            n_iterations=int(found.n_iter_),
            gap=0.0,
            converged=bool(found.n_iter_ < self.max_iter),
            n_init=self.n_init,
        )

    def _fitted(self, X: Any, groups: Any, random_state: int) -> Any:
        import warnings

        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

        seed = random_state % 2**32
        model = KMeans(self.n_splits, n_init=self.n_init, max_iter=self.max_iter, tol=self.tol, random_state=seed)
        with warnings.catch_warnings():
            # Fewer distinct rows than folds: said by the error about empty folds.
            warnings.simplefilter("ignore", ConvergenceWarning)
            if groups is None:
                return model.fit(X)
            sizes = np.bincount(groups)
            return model.fit(group_sums(X, groups) / sizes[:, None], sample_weight=sizes)


def numbered(clusters: np.ndarray) -> np.ndarray:
    """Number clusters from 1, in the order they come up.

    >>> numbered(np.array([2, 0, 2, 1])).tolist()
    [1, 2, 1, 3]
    """
    _, first, codes = np.unique(clusters, return_index=True, return_inverse=True)
    ranks = np.empty(len(first), np.int64)
    ranks[np.argsort(first)] = np.arange(1, len(first) + 1)
    return ranks[codes]


def group_sums(X: Any, groups: np.ndarray) -> np.ndarray:
    """Sum the rows of each group 0…g−1."""
    from scipy.sparse import csr_array, issparse

    member = csr_array((np.ones(len(groups)), (groups, np.arange(len(groups)))))
    sums = member @ X
    return np.asarray(sums.toarray() if issparse(sums) else sums)


def within_variance(X: Any, clusters: np.ndarray) -> float:
    """Return the sum of squared distances to the mean of the own cluster, by the rows."""
    from assay.splits.constrained import mean_of, squares

    mean, sizes = mean_of(X), np.bincount(clusters)
    away = group_sums(X, clusters) / np.maximum(sizes, 1)[:, None] - mean
    between = float((sizes[:, None] * away**2)[sizes > 0].sum())
    return max(0.0, float(squares(X, mean).sum()) - between) / len(clusters)
