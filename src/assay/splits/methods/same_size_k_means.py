"""Folds of similar rows that all have the same size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.base.errors import UsageError
from assay.splits.assignments import FoldAssignment
from assay.splits.kmeans.quotas import compute_even_quotas
from assay.splits.methods.sds_k_means import SDSKMeansSplit
from assay.splits.registry import SPLITS


@SPLITS.add("same-size-k-means")
@dataclass(frozen=True, kw_only=True)
class SameSizeKMeansSplit(SDSKMeansSplit):
    """Make folds of similar rows and of equal size, whatever their labels (Wecker et al. 2020).

    It is SDS K-means with a single label.

    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [9.1], [9.2]])
    >>> SameSizeKMeansSplit(n_splits=2).assign(X).folds.tolist()
    [1, 1, 1, 2, 2, 2]
    """

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.label_shares is not None:
            raise UsageError("The same-size-k-means split uses no labels. label_shares belongs to sds-k-means.")

    def _assign(self, X: Matrix, y: Array | None, groups: Array | None, random_state: int) -> FoldAssignment:  # noqa: ARG002
        n = X.shape[0]
        return self._cluster(X, np.zeros(n, np.int64), compute_even_quotas([n], self.n_folds), groups, random_state)
