from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans

from assay.errors import AssayError, UsageError
from assay.splits import SDSKMeansSplit
from assay.splits.quotas import even_quotas
from assay.splits.transport import transport


def mixture(n, d=8, n_blobs=6, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n_blobs, d))[rng.integers(n_blobs, size=n)] + rng.normal(size=(n, d))).astype(dtype)


def table(folds, y, k):
    labels, codes = np.unique(y, return_inverse=True)
    return np.bincount(codes * k + folds - 1, minlength=len(labels) * k).reshape(-1, k)


def within(X, folds):
    return sum(((X[folds == f] - X[folds == f].mean(axis=0)) ** 2).sum() for f in np.unique(folds)) / len(X)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 20), st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(0, 1000))
def test_every_quota_is_filled_exactly(k, counts, seed):
    n = sum(counts)
    assume(n >= k)
    y = np.repeat(list("abcde")[: len(counts)], counts)
    found = SDSKMeansSplit(n_splits=k, n_init=2).assign(mixture(n, d=2, seed=seed), y)
    cells = table(found.folds, y, k)
    share = np.array(counts)[:, None] / k
    assert ((cells == np.floor(share)) | (cells == np.ceil(share))).all()
    assert np.ptp(cells.sum(axis=0)) <= 1
    assert found.n_off_quota == 0
    assert found.gap < 1e-9


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_within_variance_is_that_of_the_folds_and_the_gap_is_nothing(dtype):
    X, y = mixture(12_000, dtype=dtype), np.arange(12_000) % 3
    found = SDSKMeansSplit(n_init=2).assign(X, y)
    assert found.within_variance == pytest.approx(within(X.astype(float), found.folds), rel=1e-9)
    assert 0 <= found.gap < 1e-12
    assert found.converged


def test_the_folds_are_the_cheapest_for_their_own_centres():
    X, y = mixture(600), np.arange(600) % 2
    found = SDSKMeansSplit(n_splits=4, tol=0.0).assign(X, y)
    centres = np.array([X[found.folds == f].mean(axis=0) for f in range(1, 5)])
    costs = ((X[:, None] - centres) ** 2).sum(axis=2)
    for label in range(2):
        rows = np.flatnonzero(y == label)
        quotas = np.bincount(found.folds[rows] - 1, minlength=4)
        assert costs[rows, found.folds[rows] - 1].sum() == pytest.approx(transport(costs[rows], quotas).primal)


def test_without_need_for_quotas_it_finds_what_k_means_finds():
    X = np.repeat([[0.0, 0], [50, 0], [0, 50]], 40, axis=0) + mixture(120, d=2, n_blobs=1)
    y = np.tile(["a", "b"], 60)
    found = SDSKMeansSplit(n_splits=3).assign(X, y)
    free = KMeans(3, n_init=10, random_state=0).fit(X)
    assert found.within_variance == pytest.approx(free.inertia_ / 120)


def test_it_is_the_same_whatever_the_number_of_jobs():
    X, y = mixture(15_000, dtype=np.float32), np.arange(15_000) % 2
    one, two = (SDSKMeansSplit(n_init=3, n_jobs=n).assign(X, y) for n in (1, 2))
    lone, both = (SDSKMeansSplit(n_init=1, n_jobs=n).assign(np.vstack([X] * 5), np.tile(y, 5)) for n in (1, 2))
    assert (one.folds == two.folds).all()
    assert (lone.folds == both.folds).all()


def test_shuffled_rows_keep_their_folds():
    X, y = mixture(500), np.arange(500) % 3
    order = np.random.default_rng(1).permutation(500)
    straight, shuffled = SDSKMeansSplit().assign(X, y), SDSKMeansSplit().assign(X[order], y[order])
    assert (straight.folds[order] == shuffled.folds).all()


def test_sparse_rows_cluster_as_dense_ones_do():
    X = sparse.random(300, 40, density=0.1, format="csr", random_state=0)
    y = np.arange(300) % 2
    a, b = SDSKMeansSplit(n_init=20).assign(X, y), SDSKMeansSplit(n_init=20).assign(X.toarray(), y)
    assert a.within_variance == pytest.approx(within(X.toarray(), a.folds))
    assert a.within_variance == pytest.approx(b.within_variance, rel=0.02)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((30, 3)), ["a"] * 30),
        (np.arange(7.0)[:, None], list("abcdefg")),
        (np.repeat([[0.0], [9.0], [99.0]], 3, axis=0), list("aaabbbccc")),
        (np.zeros((9, 0)), list("aaabbbccc")),
        (1e7 + mixture(60), list("ab") * 30),
    ],
    ids=["identical rows", "one-row labels", "separated blobs, each one label", "no columns", "far from zero"],
)
def test_odd_data_still_makes_even_folds(X, y):
    found = SDSKMeansSplit(n_splits=3).assign(X, y)
    _, counts = np.unique(y, return_counts=True)
    assert np.ptp(np.bincount(found.folds)[1:]) <= 1
    assert np.sort(table(found.folds, y, 3)).tolist() == np.sort(even_quotas(counts, 3)).tolist()


def test_stopping_early_is_told_and_keeps_the_quotas():
    X, y = mixture(400), np.arange(400) % 2
    found = SDSKMeansSplit(max_iter=1, n_init=1).assign(X, y)
    assert not found.converged
    assert found.n_iterations == 1
    assert (table(found.folds, y, 5) == 40).all()


def test_more_starts_are_never_worse():
    X, y = mixture(400, n_blobs=12), np.arange(400) % 2
    few, many = (SDSKMeansSplit(n_splits=6, n_init=n).assign(X, y).within_variance for n in (1, 12))
    assert many <= few


def test_the_user_may_ask_for_other_label_shares():
    X, y = mixture(100), np.repeat(["a", "b"], 50)
    asked = {"a": [0.8, 0.2], "b": [0.1, 0.9]}
    found = SDSKMeansSplit(n_splits=2, label_shares=asked).assign(X, y)
    assert table(found.folds, y, 2).tolist() == [[40, 10], [5, 45]]


def test_groups_stay_whole_and_small_ones_keep_the_quotas():
    X, y = mixture(600), np.arange(600) % 2
    groups = np.where(np.arange(600) < 120, np.arange(600) // 4, np.arange(600))
    found = SDSKMeansSplit().assign(X, y, groups)
    assert all(len(set(found.folds[groups == g])) == 1 for g in np.unique(groups))
    assert (table(found.folds, y, 5) == 60).all()
    assert found.n_off_quota == 0
    assert 0 <= found.gap < 1


def test_large_groups_are_told_by_how_many_rows_they_miss_the_quotas():
    X, y = mixture(100), np.arange(100) % 2
    groups = np.repeat(np.arange(7), [40, 10, 10, 10, 10, 10, 10])
    found = SDSKMeansSplit(n_splits=3).assign(X, y, groups)
    above = np.maximum(table(found.folds, y, 3) - even_quotas([50, 50], 3), 0).sum()
    assert found.n_off_quota == above > 0
    assert np.isnan(found.gap)


def test_the_gap_is_nothing_at_the_size_of_the_paper():
    X, y = mixture(61_398, dtype=np.float32), np.arange(61_398) % 2
    found = SDSKMeansSplit(n_init=1, max_iter=5).assign(X, y)
    assert 0 <= found.gap < 1e-9
    assert np.ptp(table(found.folds, y, 5)) <= 1


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_rows_that_are_not_finite_are_refused(value):
    X = mixture(20)
    X[3, 2] = value
    with pytest.raises(AssayError, match="hold nan, infinity or values of 1e\\+140"):
        SDSKMeansSplit().assign(X, [0, 1] * 10)


def test_large_numbers_in_single_precision_do_not_overflow():
    X, y = mixture(60, dtype=np.float32) * np.float32(1e25), [0, 1] * 30
    assert np.isfinite(SDSKMeansSplit(n_splits=3).assign(X, y).within_variance)


def test_demands_that_make_no_sense_are_refused():
    with pytest.raises(UsageError, match=r"needs labels\. Without labels: same-size-k-means"):
        SDSKMeansSplit().assign(mixture(20))
    with pytest.raises(UsageError, match="n_init and max_iter must be at least 1"):
        SDSKMeansSplit(n_init=0).assign(mixture(20), [0] * 20)
    with pytest.raises(AssayError, match="4 rows cannot make 5 folds"):
        SDSKMeansSplit().assign(mixture(4), [0] * 4)
