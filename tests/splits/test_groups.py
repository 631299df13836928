"""Groups merged, and assigned as a whole."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.splits.groups import assign_groups, choose_groups, merge_groups


def test_chains_of_groups_become_one():
    assert merge_groups(["a", "b", "c", "d"], [1, 1, 2, 3], ["x", "y", "y", "z"]).tolist() == [0, 0, 0, 1]


def test_a_missing_grouping_is_ignored():
    assert merge_groups(["a", "b", "a"], None).tolist() == [0, 1, 0]


def test_a_group_that_overshoots_is_skipped():
    groups = np.array([0] * 6 + [1, 1, 2])
    chosen = choose_groups(groups, np.zeros(9, dtype=int), np.array([3]), order=np.array([0, 1, 2]))
    assert chosen.tolist() == [False] * 6 + [True] * 3


def test_the_smallest_group_is_taken_when_all_are_too_large():
    groups = np.array([0] * 5 + [1] * 4)
    assert choose_groups(groups, np.zeros(9, dtype=int), np.array([1]), order=np.array([0, 1])).sum() == 4


@given(groups=st.lists(st.integers(0, 9), min_size=12, max_size=40), data=st.data())
def test_assigned_groups_are_whole_and_no_fold_is_empty(groups, data):
    codes = np.unique(groups, return_inverse=True)[1]
    labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(groups), max_size=len(groups))))
    labels = np.unique(labels, return_inverse=True)[1]
    n_folds = min(3, int(codes.max()) + 1)
    folds = assign_groups(codes, labels, n_folds, np.arange(int(codes.max()) + 1))
    assert set(folds) == set(range(1, n_folds + 1))
    assert all(len(set(folds[codes == group])) == 1 for group in range(int(codes.max()) + 1))


def test_groups_of_one_row_are_assigned_as_evenly_as_rows():
    labels = np.array([0] * 30 + [1] * 12)
    folds = assign_groups(np.arange(42), labels, 3, np.random.default_rng(0).permutation(42))
    assert [np.bincount(folds[labels == label])[1:].tolist() for label in (0, 1)] == [[10] * 3, [4] * 3]
