"""Vectors on two sides of a cut."""

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from assay.splits.comparison.cuts import Cuts
from assay.splits.comparison.vectors import MeanDiscrepancy, SlicedWasserstein

X = np.random.default_rng(0).normal(size=(80, 4))
HERE = np.random.default_rng(1).permutation(80) < 25
CUTS = Cuts(["a", "b"], np.array([HERE, ~HERE]), np.array([~HERE, HERE]))


def test_the_sliced_distance_is_the_mean_of_scipys_along_its_directions():
    rng = np.random.default_rng(3)
    directions = np.random.default_rng(3).standard_normal((4, 50))
    seen = X @ (directions / np.linalg.norm(directions, axis=0))
    expected = np.mean([wasserstein_distance(line[HERE], line[~HERE]) for line in seen.T])
    assert SlicedWasserstein(X, rng)(CUTS) == pytest.approx([expected, expected])


def test_random_features_come_near_the_discrepancy_of_the_kernel():
    from sklearn.metrics.pairwise import rbf_kernel

    measure = MeanDiscrepancy(X, np.random.default_rng(0), n_features=20_000)
    from scipy.spatial.distance import pdist

    kernel = rbf_kernel(X, gamma=1 / (2 * np.median(pdist(X)) ** 2))
    weights = HERE / HERE.sum() - ~HERE / (~HERE).sum()
    assert measure(CUTS) == pytest.approx([np.sqrt(weights @ kernel @ weights)] * 2, rel=0.05)


def test_equal_sides_have_no_distance():
    twice = np.vstack([X, X])
    halves = np.arange(160) < 80
    cuts = Cuts(["a"], halves[None], ~halves[None])
    assert SlicedWasserstein(twice, np.random.default_rng(0))(cuts) == pytest.approx([0], abs=1e-12)
    assert MeanDiscrepancy(twice, np.random.default_rng(0))(cuts) == pytest.approx([0], abs=1e-12)


def test_equal_rows_are_no_trouble():
    same = np.ones((6, 3))
    cuts = Cuts(["a"], np.array([[True] * 2 + [False] * 4]), np.array([[False] * 2 + [True] * 4]))
    assert MeanDiscrepancy(same, np.random.default_rng(0))(cuts) == pytest.approx([0], abs=1e-12)
