"""Cuts along a line."""

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.splits.cutting import cut_between_values, groups_cut


def test_the_cut_nearest_to_the_size_is_taken_and_of_two_the_smaller_set():
    values = np.array([1, 1, 2, 2, 3, 3])
    assert cut_between_values(values, 3, None, "length").sum() == 2
    assert cut_between_values(values, 4, None, "length").sum() == 4


def test_groups_on_both_sides_are_counted_for_every_cut():
    assert groups_cut(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), 4).tolist() == [1, 0, 1]


def test_only_cuts_that_keep_groups_whole_are_taken():
    values, groups = np.array([1, 2, 3, 4]), np.array([0, 0, 1, 1])
    assert cut_between_values(values, 1, groups, "length").tolist() == [False, False, True, True]


def test_where_every_cut_cuts_a_group_the_error_says_how_many():
    values, groups = np.array([1, 2, 3, 4]), np.array([0, 1, 1, 0])
    with pytest.raises(
        AssayError, match=r"no cut that keeps all 2 groups whole: the one nearest to 2 rows cuts 2, the best one 1\."
    ):
        cut_between_values(values, 2, groups, "length")


def test_equal_values_cannot_be_cut():
    with pytest.raises(AssayError, match="The length split finds no cut: all 3 rows are equal"):
        cut_between_values(np.ones(3), 1, None, "length")
