from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from assay.base.errors import UsageError
from assay.statistics import wilson


@given(st.integers(1, 5000), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_it_equals_statsmodels(n, share, confidence):
    successes = round(share * n)
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    ours = wilson(successes, n, confidence)
    assert ours.low == pytest.approx(low, abs=1e-12)
    assert ours.high == pytest.approx(high, abs=1e-12)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_nothing_tried_is_undefined():
    assert math.isnan(wilson(0, 0).value)


def test_more_successes_than_trials_is_an_error():
    with pytest.raises(UsageError, match="5 successes of 4; the successes must lie between 0 and n"):
        wilson(5, 4)
