from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from assay.statistics import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_it_equals_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_undefined_values_are_not_tests():
    found = holm([0.01, np.nan, 0.02])
    assert np.isnan(found[1])
    assert found[[0, 2]] == pytest.approx(holm([0.01, 0.02]))


def test_no_tests_give_none():
    assert holm([]).shape == (0,)
