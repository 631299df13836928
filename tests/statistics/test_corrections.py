"""Corrections for many tests against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from assay.statistics import benjamini_hochberg, holm

CORRECTIONS = [(holm, "holm"), (benjamini_hochberg, "fdr_bh")]


@pytest.mark.parametrize(("correct", "name"), CORRECTIONS)
@settings(max_examples=30)  # statsmodels takes a tenth of a second for Holm's correction
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_corrections_equal_statsmodels(correct, name, p_values):
    assert correct(p_values) == pytest.approx(multipletests(p_values, method=name)[1])


@pytest.mark.parametrize(("correct", "name"), CORRECTIONS)
def test_undefined_values_are_not_tests(correct, name):
    adjusted = correct([0.01, np.nan, 0.02])
    assert np.isnan(adjusted[1])
    assert adjusted[[0, 2]] == pytest.approx(correct([0.01, 0.02]))


@pytest.mark.parametrize(("correct", "name"), CORRECTIONS)
def test_no_tests_give_no_values(correct, name):
    assert correct([]).shape == (0,)
