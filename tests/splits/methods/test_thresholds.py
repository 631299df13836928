"""Test sets above a threshold."""

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.splits.methods.thresholds import choose_highest, count_cut_groups


def test_the_threshold_closest_to_the_size_is_taken_and_of_two_the_smaller_set():
    values = np.array([1, 1, 2, 2, 3, 3])
    assert choose_highest(values, 3, None, "length").sum() == 2
    assert choose_highest(values, 4, None, "length").sum() == 4


def test_groups_on_both_sides_are_counted_for_every_threshold():
    assert count_cut_groups(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), 4).tolist() == [1, 0, 1]


def test_only_thresholds_that_keep_groups_whole_are_taken():
    values, groups = np.array([1, 2, 3, 4]), np.array([0, 0, 1, 1])
    assert choose_highest(values, 1, groups, "length").tolist() == [False, False, True, True]


def test_the_error_counts_the_groups_where_every_threshold_cuts_one():
    values, groups = np.array([1, 2, 3, 4]), np.array([0, 1, 1, 0])
    with pytest.raises(
        AssayError,
        match=r"no threshold that keeps all 2 groups whole: the one closest to 2 rows cuts 2, the best one 1\.",
    ):
        choose_highest(values, 2, groups, "length")


def test_equal_values_have_no_threshold():
    with pytest.raises(AssayError, match="The length split finds no threshold: all 3 rows have the same value"):
        choose_highest(np.ones(3), 1, None, "length")
