"""Typical words."""

import numpy as np

from assay.splits.comparison.split_comparison import find_typical_words


def test_words_that_do_not_occur_are_never_typical():
    words = find_typical_words(np.array([3.0, 0.0]), np.array([3.0, 9.0]), ["here", "there"])
    assert words == ["here"]


def test_a_frequent_word_in_equal_shares_is_not_typical():
    words = find_typical_words(np.array([50.0, 5.0, 0.0]), np.array([100.0, 5.0, 5.0]), ["the", "sea", "land"])
    assert words[0] == "sea"
    assert "land" not in words
