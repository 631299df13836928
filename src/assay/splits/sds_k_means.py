"""Folds of similar rows that all have the same size and the same label distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.errors import UsageError
from assay.splits.base import Assignment, FoldSplitter, vectors
from assay.splits.quotas import Shares, even_quotas, shared_quotas


@dataclass(frozen=True)
class ClusterAssignment(Assignment):
    """Folds made of clusters, and how tight they are.

    `gap` is (primal − dual) / primal of the last assignment for its centres and quotas: 0 is proven optimal. It says
    nothing of how good the centres are. `n_off_quota` counts rows above a quota: 0 unless groups had to stay whole.
    """

    within_variance: float
    n_iterations: int
    gap: float
    converged: bool
    n_init: int
    n_off_quota: int = 0


@dataclass(frozen=True, kw_only=True)
class SDSKMeansSplit(FoldSplitter):
    """Make folds of similar rows, of equal size, and with the label distribution of the whole.

    K-means whose assignment step fills the quota of every (label, fold) exactly and at least cost; k-means++ starts,
    the lowest within-cluster variance of `n_init` wins. What is alike is tested together (paper 001).
    `label_shares` asks for other label distributions (see `shared_quotas`); `n_jobs` starts run at a time and change
    nothing else. Groups stay whole, and where that breaks a quota the result says by how many rows.

    >>> X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    >>> SDSKMeansSplit(n_splits=2).assign(X, list("aababb")).folds.tolist()
    [1, 1, 1, 2, 2, 2]
    """

    name: ClassVar[str] = "sds-k-means"

    n_init: int = 8
    encoder: Any = "tfidf"
    max_iter: int = 300
    tol: float = 1e-5
    label_shares: Shares | None = None
    n_jobs: int = -1

    def represent(self, X: Any) -> Any:
        """Return one vector a row."""
        return vectors(X, self.encoder, self.random_state)

    def _check(self) -> None:
        super()._check()
        if self.n_init < 1 or self.max_iter < 1:
            raise UsageError(f"n_init and max_iter must be at least 1, not {self.n_init} and {self.max_iter}.")

    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:
        if y is None:
            raise UsageError(f"The {self.name} split needs labels. Without labels: same-size-k-means.")
        names, labels = coded([str(label) for label in y])
        counts = np.bincount(labels, minlength=len(names))
        if self.label_shares is None:
            quotas = even_quotas(counts, self.n_splits)
        else:
            quotas = shared_quotas(names, counts, self.n_splits, self.label_shares)
        return self._within(X, labels, quotas, groups, random_state)

    def _within(self, X: Any, labels: Any, quotas: Any, groups: Any, random_state: int) -> Assignment:
        from assay.splits.starts import best_of

        limits = (self.max_iter, self.tol)
        best = best_of(X, labels, quotas, groups, self.n_init, limits, random_state, self.n_jobs)
        return ClusterAssignment(
            folds=best.folds + 1,
            within_variance=best.within_variance,
            n_iterations=best.n_iterations,
            gap=best.gap,
            converged=best.converged,
            n_init=self.n_init,
            n_off_quota=best.n_off_quota,
        )


def coded(names: list[str]) -> tuple[list[str], np.ndarray]:
    """Number names in sorted order.

    >>> coded(["b", "a", "b"])
    (['a', 'b'], array([1, 0, 1]))
    """
    known = sorted(set(names))
    numbers = {name: number for number, name in enumerate(known)}
    return known, np.array([numbers[name] for name in names], dtype=np.int64)
