"""Distances between the vectors of two parts."""

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from assay.splits.comparison.pairs import PartPairs
from assay.splits.comparison.vector_distances import MeanDiscrepancy, SlicedWasserstein, weigh_rows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4))
PART = RNG.permutation(80) < 25
PAIRS = PartPairs(["a", "b"], np.array([PART, ~PART]), np.array([~PART, PART]))


def test_the_sliced_distance_is_the_mean_of_the_distances_of_scipy():
    rng = np.random.default_rng(3)
    directions = np.random.default_rng(3).standard_normal((4, 50))
    projected = X @ (directions / np.linalg.norm(directions, axis=0))
    expected = np.mean([wasserstein_distance(line[PART], line[~PART]) for line in projected.T])
    assert SlicedWasserstein.prepare(X, rng).measure(weigh_rows(PAIRS)) == pytest.approx([expected, expected])


def test_random_features_approximate_the_discrepancy_of_the_kernel():
    from sklearn.metrics.pairwise import rbf_kernel

    discrepancy = MeanDiscrepancy.prepare(X, np.random.default_rng(0), n_features=20_000)
    from scipy.spatial.distance import pdist

    kernel = rbf_kernel(X, gamma=1 / (2 * np.median(pdist(X)) ** 2))
    weights = PART / PART.sum() - ~PART / (~PART).sum()
    assert discrepancy.measure(weigh_rows(PAIRS)) == pytest.approx([np.sqrt(weights @ kernel @ weights)] * 2, rel=0.05)


def test_equal_parts_have_no_distance():
    twice = np.vstack([X, X])
    halves = np.arange(160) < 80
    pairs = PartPairs(["a"], halves[None], ~halves[None])
    assert SlicedWasserstein.prepare(twice, np.random.default_rng(0)).measure(weigh_rows(pairs)) == pytest.approx(
        [0], abs=1e-12
    )
    assert MeanDiscrepancy.prepare(twice, np.random.default_rng(0)).measure(weigh_rows(pairs)) == pytest.approx(
        [0], abs=1e-12
    )


def test_equal_rows_have_no_discrepancy():
    same = np.ones((6, 3))
    pairs = PartPairs(["a"], np.array([[True] * 2 + [False] * 4]), np.array([[False] * 2 + [True] * 4]))
    assert MeanDiscrepancy.prepare(same, np.random.default_rng(0)).measure(weigh_rows(pairs)) == pytest.approx(
        [0], abs=1e-12
    )
