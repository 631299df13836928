"""Duplicates across a cut."""

import numpy as np

from assay.splits.comparison.cuts import Cuts
from assay.splits.comparison.leaks import leaks_across


def test_rows_with_a_duplicate_on_the_other_side_are_counted_and_named():
    exact, near = np.array([0, 0, 1, 2, 3]), np.array([0, 0, 1, 1, 2])
    here = np.array([[False, True, False, True, True]])
    found = leaks_across(Cuts(["test"], here, ~here), exact, near, list("abcde"))
    assert (found.exact, found.near, found.n_rows) == (1, 2, 3)
    assert found.near_share == 2 / 3
    assert found.examples == [["b", "a"], ["d", "c"]]


def test_duplicates_on_one_side_are_no_leak():
    here = np.array([[True, True, False]])
    found = leaks_across(Cuts(["test"], here, ~here), np.array([0, 0, 1]), np.array([0, 0, 1]), list("abc"))
    assert (found.exact, found.near, found.examples) == (0, 0, [])
