"""Quotas of labels in folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.base.errors import AssayError, UsageError
from assay.data import read_table
from assay.splits.kmeans.quotas import compute_even_quotas, compute_quotas, round_table


def assert_fair(quotas, counts, k):
    assert quotas.sum(axis=1).tolist() == list(counts)
    share = np.asarray(counts)[:, None] / k
    assert ((quotas == np.floor(share)) | (quotas == np.ceil(share))).all()
    assert np.ptp(quotas.sum(axis=0)) <= 1


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12), st.integers(2, 20))
def test_every_cell_is_floor_or_ceiling_and_fold_sizes_differ_by_at_most_one(counts, k):
    assert_fair(compute_even_quotas(counts, k), counts, k)


def test_the_labels_of_the_patents_are_spread_over_five_folds(shared):
    patents = read_table(shared("patents/analysis_randomized.tsv"))
    counts = patents["gold_labels"].value_counts()["count"].to_list()
    assert_fair(compute_even_quotas(counts, 5), counts, 5)


@given(st.integers(1, 6), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_a_table_with_whole_row_sums_is_rounded_to_floors_and_ceilings_with_the_same_sums(n, k, seed):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(k), size=n) * rng.integers(0, 50, size=n)[:, None]
    whole = round_table(table)
    assert whole.sum(axis=1).tolist() == np.rint(table.sum(axis=1)).tolist()
    assert (np.abs(whole - table) < 1).all()
    assert (np.abs(whole.sum(axis=0) - table.sum(axis=0)) < 1 + 1e-6).all()


def test_shares_by_label_decide_where_its_rows_go():
    assert compute_quotas(["a", "b"], [4, 4], 2, {"a": [1, 0], "b": [0.25, 0.75]}).tolist() == [[4, 0], [1, 3]]


def test_folds_get_the_requested_label_distribution():
    shares = [{"a": 1.0}, {"a": 0.2, "b": 0.8}]
    assert compute_quotas(["a", "b"], [6, 4], 2, shares).tolist() == [[5, 1], [0, 4]]


def test_the_error_says_by_how_much_shares_do_not_fit_the_labels():
    with pytest.raises(AssayError, match=r"'a' has 6 rows, 10 are requested \(4 too many\)"):
        compute_quotas(["a", "b"], [6, 4], 2, [{"a": 1.0}, {"a": 1.0}])


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"a": [0.5, 0.5]}, "label_shares lacks the labels b"),
        ({"a": [0.5, 0.5], "b": [0.5, 0.6]}, r"sum 1\.1\); they must be 2 numbers"),
        ({"a": [1.0], "b": [0.5, 0.5]}, "they must be 2 numbers"),
        ([{"a": 1.0}], "label_shares describes 1 folds, but there are 2"),
        ([{"a": 1.0}, {"c": 1.0}], "fold 2 name c. Labels: a, b"),
        ([{"a": 1.0}, {"b": 0.9}], r"fold 2 sum to 0\.9"),
    ],
)
def test_values_that_are_not_shares_are_refused(shares, message):
    with pytest.raises(UsageError, match=message):
        compute_quotas(["a", "b"], [6, 4], 2, shares)
