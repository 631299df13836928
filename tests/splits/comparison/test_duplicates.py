"""Duplicates on both sides of a split."""

import numpy as np

from assay.splits.comparison.duplicates import count_leaks
from assay.splits.comparison.pairs import PartPairs


def test_rows_with_a_duplicate_on_the_other_side_are_counted_and_named():
    exact, near = np.array([0, 0, 1, 2, 3]), np.array([0, 0, 1, 1, 2])
    part = np.array([[False, True, False, True, True]])
    leaks = count_leaks(PartPairs(["test"], part, ~part), exact, near, list("abcde"))
    assert (leaks.exact, leaks.near, leaks.n_rows) == (1, 2, 3)
    assert leaks.near_share == 2 / 3
    assert leaks.examples == [["b", "a"], ["d", "c"]]


def test_duplicates_within_a_part_are_not_a_leak():
    part = np.array([[True, True, False]])
    leaks = count_leaks(PartPairs(["test"], part, ~part), np.array([0, 0, 1]), np.array([0, 0, 1]), list("abc"))
    assert (leaks.exact, leaks.near, leaks.examples) == (0, 0, [])
