"""The same-size K-means split."""

from __future__ import annotations

import numpy as np
import pytest
from k_means_constrained import KMeansConstrained

from assay.base.errors import UsageError
from assay.splits import SameSizeKMeansSplit


@pytest.mark.parametrize("k", [2, 3, 7, 20])
def test_fold_sizes_differ_by_at_most_one_whatever_the_labels(k):
    X = np.random.default_rng(k).normal(size=(101, 3)) ** 3
    assignment = SameSizeKMeansSplit(n_splits=k).assign(X)
    assert np.ptp(np.bincount(assignment.folds)[1:]) <= 1
    assert assignment.details.gap < 1e-12


def test_it_is_as_tight_as_k_means_constrained():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 5))[rng.integers(8, size=400)] * 2 + rng.normal(size=(400, 5))
    reference = KMeansConstrained(4, size_min=100, size_max=100, n_init=5, random_state=0).fit(X).inertia_ / 400
    assert SameSizeKMeansSplit(n_splits=4, n_init=10).assign(X).details.within_variance <= reference * 1.001


def test_it_takes_no_label_shares():
    with pytest.raises(UsageError, match="uses no labels"):
        SameSizeKMeansSplit(label_shares={"a": [1, 0]}).assign(np.zeros((10, 1)))
