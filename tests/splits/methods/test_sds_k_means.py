"""The SDS K-means split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans

from assay.base.errors import AssayError, UsageError
from assay.splits import SDSKMeansSplit, solve_transport
from assay.splits.kmeans.quotas import compute_even_quotas


def draw_mixture(n, d=8, n_blobs=6, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n_blobs, d))[rng.integers(n_blobs, size=n)] + rng.normal(size=(n, d))).astype(dtype)


def count_cells(folds, y, k):
    labels, codes = np.unique(y, return_inverse=True)
    return np.bincount(codes * k + folds - 1, minlength=len(labels) * k).reshape(-1, k)


def measure_variance(X, folds):
    return sum(((X[folds == f] - X[folds == f].mean(axis=0)) ** 2).sum() for f in np.unique(folds)) / len(X)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 20), st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(0, 1000))
def test_every_quota_is_filled_exactly(k, counts, seed):
    n = sum(counts)
    assume(n >= k)
    y = np.repeat(list("abcde")[: len(counts)], counts)
    assignment = SDSKMeansSplit(n_splits=k, n_init=2).assign(draw_mixture(n, d=2, seed=seed), y)
    cells = count_cells(assignment.folds, y, k)
    share = np.array(counts)[:, None] / k
    assert ((cells == np.floor(share)) | (cells == np.ceil(share))).all()
    assert np.ptp(cells.sum(axis=0)) <= 1
    assert assignment.details.n_off_quota == 0
    assert assignment.details.gap < 1e-9


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_within_variance_is_that_of_the_folds_and_the_gap_is_0(dtype):
    X, y = draw_mixture(12_000, dtype=dtype), np.arange(12_000) % 3
    assignment = SDSKMeansSplit(n_init=2).assign(X, y)
    assert assignment.details.within_variance == pytest.approx(
        measure_variance(X.astype(float), assignment.folds), rel=1e-9
    )
    assert 0 <= assignment.details.gap < 1e-12
    assert assignment.details.converged


def test_the_folds_are_the_cheapest_for_their_own_centres():
    X, y = draw_mixture(600), np.arange(600) % 2
    assignment = SDSKMeansSplit(n_splits=4, tol=0.0).assign(X, y)
    centres = np.array([X[assignment.folds == f].mean(axis=0) for f in range(1, 5)])
    costs = ((X[:, None] - centres) ** 2).sum(axis=2)
    for label in range(2):
        rows = np.flatnonzero(y == label)
        quotas = np.bincount(assignment.folds[rows] - 1, minlength=4)
        assert costs[rows, assignment.folds[rows] - 1].sum() == pytest.approx(
            solve_transport(costs[rows], quotas).primal
        )


def test_it_finds_the_clusters_of_k_means_where_these_meet_the_quotas():
    X = np.repeat([[0.0, 0], [50, 0], [0, 50]], 40, axis=0) + draw_mixture(120, d=2, n_blobs=1)
    y = np.tile(["a", "b"], 60)
    assignment = SDSKMeansSplit(n_splits=3).assign(X, y)
    free = KMeans(3, n_init=10, random_state=0).fit(X)
    assert assignment.details.within_variance == pytest.approx(free.inertia_ / 120)


def test_the_number_of_jobs_changes_no_fold():
    X, y = draw_mixture(15_000, dtype=np.float32), np.arange(15_000) % 2
    one, two = (SDSKMeansSplit(n_init=3, n_jobs=n).assign(X, y) for n in (1, 2))
    lone, both = (SDSKMeansSplit(n_init=1, n_jobs=n).assign(np.vstack([X] * 5), np.tile(y, 5)) for n in (1, 2))
    assert (one.folds == two.folds).all()
    assert (lone.folds == both.folds).all()


def test_shuffled_rows_keep_their_folds():
    X, y = draw_mixture(500), np.arange(500) % 3
    order = np.random.default_rng(1).permutation(500)
    straight, shuffled = SDSKMeansSplit().assign(X, y), SDSKMeansSplit().assign(X[order], y[order])
    assert (straight.folds[order] == shuffled.folds).all()


def test_sparse_rows_cluster_as_dense_rows_do():
    X = sparse.random(300, 40, density=0.1, format="csr", random_state=0)
    y = np.arange(300) % 2
    a, b = SDSKMeansSplit(n_init=20).assign(X, y), SDSKMeansSplit(n_init=20).assign(X.toarray(), y)
    assert a.details.within_variance == pytest.approx(measure_variance(X.toarray(), a.folds))
    assert a.details.within_variance == pytest.approx(b.details.within_variance, rel=0.02)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((30, 3)), ["a"] * 30),
        (np.arange(7.0)[:, None], list("abcdefg")),
        (np.repeat([[0.0], [9.0], [99.0]], 3, axis=0), list("aaabbbccc")),
        (np.zeros((9, 0)), list("aaabbbccc")),
        (1e7 + draw_mixture(60), list("ab") * 30),
    ],
    ids=["identical rows", "one-row labels", "separated blobs, each one label", "no columns", "far from zero"],
)
def test_unusual_data_makes_even_folds(X, y):
    assignment = SDSKMeansSplit(n_splits=3).assign(X, y)
    _, counts = np.unique(y, return_counts=True)
    assert np.ptp(np.bincount(assignment.folds)[1:]) <= 1
    assert np.sort(count_cells(assignment.folds, y, 3)).tolist() == np.sort(compute_even_quotas(counts, 3)).tolist()


def test_an_early_stop_is_reported_and_keeps_the_quotas():
    X, y = draw_mixture(400), np.arange(400) % 2
    assignment = SDSKMeansSplit(max_iter=1, n_init=1).assign(X, y)
    assert not assignment.details.converged
    assert assignment.details.n_iterations == 1
    assert (count_cells(assignment.folds, y, 5) == 40).all()


def test_more_starts_are_never_worse():
    X, y = draw_mixture(400, n_blobs=12), np.arange(400) % 2
    few, many = (SDSKMeansSplit(n_splits=6, n_init=n).assign(X, y).details.within_variance for n in (1, 12))
    assert many <= few


def test_users_can_request_other_label_shares():
    X, y = draw_mixture(100), np.repeat(["a", "b"], 50)
    shares = {"a": [0.8, 0.2], "b": [0.1, 0.9]}
    assignment = SDSKMeansSplit(n_splits=2, label_shares=shares).assign(X, y)
    assert count_cells(assignment.folds, y, 2).tolist() == [[40, 10], [5, 45]]


def test_groups_stay_whole_and_small_ones_keep_the_quotas():
    X, y = draw_mixture(600), np.arange(600) % 2
    groups = np.where(np.arange(600) < 120, np.arange(600) // 4, np.arange(600))
    assignment = SDSKMeansSplit().assign(X, y, groups)
    assert all(len(set(assignment.folds[groups == g])) == 1 for g in np.unique(groups))
    assert (count_cells(assignment.folds, y, 5) == 60).all()
    assert assignment.details.n_off_quota == 0
    assert 0 <= assignment.details.gap < 1


def test_rows_by_which_large_groups_miss_the_quotas_are_counted():
    X, y = draw_mixture(100), np.arange(100) % 2
    groups = np.repeat(np.arange(7), [40, 10, 10, 10, 10, 10, 10])
    assignment = SDSKMeansSplit(n_splits=3).assign(X, y, groups)
    above = np.maximum(count_cells(assignment.folds, y, 3) - compute_even_quotas([50, 50], 3), 0).sum()
    assert assignment.details.n_off_quota == above > 0
    assert np.isnan(assignment.details.gap)


def test_the_gap_is_0_at_the_size_of_the_paper():
    X, y = draw_mixture(61_398, dtype=np.float32), np.arange(61_398) % 2
    assignment = SDSKMeansSplit(n_init=1, max_iter=5).assign(X, y)
    assert 0 <= assignment.details.gap < 1e-9
    assert np.ptp(count_cells(assignment.folds, y, 5)) <= 1


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_rows_that_are_not_finite_are_refused(value):
    X = draw_mixture(20)
    X[3, 2] = value
    with pytest.raises(AssayError, match="hold nan, infinity or values of 1e\\+140"):
        SDSKMeansSplit().assign(X, [0, 1] * 10)


def test_large_numbers_in_single_precision_do_not_overflow():
    X, y = draw_mixture(60, dtype=np.float32) * np.float32(1e25), [0, 1] * 30
    assert np.isfinite(SDSKMeansSplit(n_splits=3).assign(X, y).details.within_variance)


def test_wrong_parameters_are_refused():
    with pytest.raises(UsageError, match=r"needs labels\. Without labels, same-size-k-means"):
        SDSKMeansSplit().assign(draw_mixture(20))
    with pytest.raises(UsageError, match="n_init must be at least 1, not 0"):
        SDSKMeansSplit(n_init=0).assign(draw_mixture(20), [0] * 20)
    with pytest.raises(AssayError, match="4 rows cannot make 5 folds"):
        SDSKMeansSplit().assign(draw_mixture(4), [0] * 4)
