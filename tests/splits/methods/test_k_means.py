"""The K-means split."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from assay.base.errors import AssayError
from assay.splits import KMeansSplit


def test_the_folds_are_the_clusters_of_scikit_learn():
    X = np.repeat([[0.0, 0], [50, 0], [0, 50]], [10, 20, 30], axis=0) + np.random.default_rng(0).normal(size=(60, 2))
    assignment = KMeansSplit(n_splits=3).assign(X)
    assert sorted(np.bincount(assignment.folds)[1:]) == [10, 20, 30]
    assert assignment.details.within_variance == pytest.approx(KMeans(3, n_init=3, random_state=0).fit(X).inertia_ / 60)


def test_groups_stay_whole():
    X = np.random.default_rng(0).normal(size=(60, 4))
    groups = np.arange(60) // 5
    for rows in (X, sparse.csr_matrix(X)):
        folds = KMeansSplit(n_splits=3).assign(rows, groups=groups).folds
        assert all(len(set(folds[groups == g])) == 1 for g in range(12))


def test_too_few_distinct_rows_are_an_error():
    with pytest.raises(AssayError, match=r"left 1 of 3 folds empty\. Make fewer folds with n_splits="):
        KMeansSplit(n_splits=3).assign(np.repeat([[0.0], [1.0]], 5, axis=0))


def test_rows_that_are_not_finite_are_refused():
    with pytest.raises(AssayError, match="hold nan, infinity"):
        KMeansSplit(n_splits=2).assign(np.array([[0.0], [1.0], [np.nan]]))
