import math

import numpy as np
import pytest

from assay.features.lengths import lengths, lengths_by_label


def test_it_agrees_with_numpy():
    words = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    found = lengths(words)
    assert found.mean == words.mean()
    assert found.std == pytest.approx(words.std(ddof=1))
    assert (found.min, found.median, found.max, found.n) == (1, 3.5, 9, 8)


def test_one_text_has_no_spread_and_none_no_mean():
    assert math.isnan(lengths(np.array([4])).std)
    assert math.isnan(lengths(np.array([], int)).mean)


def test_rows_without_a_label_count_under_no_label():
    found = lengths_by_label(np.array([1, 5, 9]), np.array([-1, 1, 0]), ("a", "b"))
    assert {label: length.mean for label, length in found.items()} == {"a": 9, "b": 5}
