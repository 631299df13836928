"""The Wasserstein split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from scipy.stats import wasserstein_distance
from sklearn.neighbors import BallTree

from assay.base.errors import AssayError, UsageError
from assay.splits import WassersteinSplit
from assay.splits.methods.wasserstein import divide_proportionally, measure_distances, measure_wasserstein, sort_values


@st.composite
def matrices(draw):
    n, d, seed = draw(st.integers(1, 12)), draw(st.integers(1, 15)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["counts", "signed", "real", "float32"]))
    return {
        "counts": rng.poisson(0.5, size=(n, d)),
        "signed": rng.integers(-2, 3, size=(n, d)),
        "real": rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6),
        "float32": rng.normal(size=(n, d)).astype(np.float32),
    }[kind]


@settings(deadline=None)
@given(matrices())
def test_the_distance_is_that_of_scipy_for_dense_and_sparse_rows(X):
    expected = [wasserstein_distance(x, X[0]) for x in X]
    assert measure_wasserstein(sort_values(X), 0) == pytest.approx(expected, abs=1e-6)
    assert measure_wasserstein(sort_values(sparse.csr_matrix(X)), 0) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_the_other_metrics_are_those_of_scipy(metric):
    X = np.random.default_rng(0).normal(size=(20, 6))
    expected = cdist(X, X[:1], metric).ravel()
    assert measure_distances(X, 0, metric) == pytest.approx(expected, abs=1e-7)
    assert measure_distances(sparse.csr_matrix(X), 0, metric) == pytest.approx(expected, abs=1e-7)


def test_a_row_of_zeros_is_orthogonal_to_all():
    assert measure_distances(np.array([[0.0, 0], [1, 0], [1, 1]]), 0, "cosine").tolist() == [1, 1, 1]


def test_the_test_set_is_the_ball_that_a_ball_tree_finds():
    X = np.random.default_rng(0).gamma(1.0, size=(60, 10))
    _, test = next(WassersteinSplit(test_size=0.2).split(X))
    tree = BallTree(X, metric=wasserstein_distance)
    balls = [set(ball) for ball in tree.query(X, k=12, return_distance=False)]
    assert set(test) in balls


def test_every_repeat_draws_another_centre():
    X = np.random.default_rng(0).poisson(1.0, size=(200, 30))
    tests = [tuple(test) for _, test in WassersteinSplit().split(X)]
    assert len(set(tests)) == 5
    assert tests == [tuple(test) for _, test in WassersteinSplit().split(X)]


def test_the_published_distance_ignores_which_word_occurs_and_the_others_do_not():
    texts = ["ash", "bay"] * 10
    ball = {
        metric: WassersteinSplit(test_size=0.5, metric=metric, encoder="counts") for metric in ("wasserstein", "cosine")
    }
    words = {metric: {texts[row] for row in next(split.split(texts))[1]} for metric, split in ball.items()}
    assert len(words["wasserstein"]) == 2
    assert len(words["cosine"]) == 1


def test_label_control_keeps_the_label_shares():
    X = np.random.default_rng(0).normal(size=(100, 5))
    y = np.repeat(["a", "b", "c"], [70, 20, 10])
    for _, test in WassersteinSplit(test_size=0.1, label_control=True).split(X, y):
        assert np.unique(y[test], return_counts=True)[1].tolist() == [7, 2, 1]


def test_groups_stay_whole():
    X = np.random.default_rng(0).normal(size=(60, 5))
    groups = np.arange(60) // 3
    for train, test in WassersteinSplit(test_size=0.2).split(X, groups=groups):
        assert set(groups[train]).isdisjoint(groups[test])
        assert len(test) == 12


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.data())
def test_proportional_shares_sum_to_the_size_and_fit(counts, data):
    size = data.draw(st.integers(0, sum(counts)))
    quotas = divide_proportionally(np.array(counts), size)
    assert quotas.sum() == size
    assert (np.abs(quotas - np.array(counts) * size / sum(counts)) < 1).all()


def test_wrong_parameters_are_refused():
    X = np.eye(10)
    with pytest.raises(UsageError, match=r"No metric 'cosin'\. Did you mean 'cosine'"):
        next(WassersteinSplit(metric="cosin").split(X))
    with pytest.raises(AssayError, match="label_control needs a label for every row"):
        next(WassersteinSplit(label_control=True).split(X))
