"""Folds of similar rows that all have the same size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.base.errors import UsageError
from assay.splits.base import Assignment
from assay.splits.quotas import even_quotas
from assay.splits.sds_k_means import SDSKMeansSplit


@dataclass(frozen=True, kw_only=True)
class SameSizeKMeansSplit(SDSKMeansSplit):
    """Make folds of similar rows and of equal size, whatever their labels: SDS K-means with one label (paper 001).

    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [9.1], [9.2]])
    >>> SameSizeKMeansSplit(n_splits=2).assign(X).folds.tolist()
    [1, 1, 1, 2, 2, 2]
    """

    name: ClassVar[str] = "same-size-k-means"

    def _check(self) -> None:
        super()._check()
        if self.label_shares is not None:
            raise UsageError("The same-size-k-means split looks at no labels. With label_shares: sds-k-means.")

    def _assign(self, X: Any, y: Any, groups: Any, random_state: int) -> Assignment:  # noqa: ARG002
        n = X.shape[0]
        return self._within(X, np.zeros(n, np.int64), even_quotas([n], self.n_splits), groups, random_state)
