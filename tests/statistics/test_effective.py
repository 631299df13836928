from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.statistics import effective_wilson, wilson


@given(st.integers(2, 1000), st.data())
def test_for_a_proportion_it_is_wilsons_interval(n, data):
    successes = data.draw(st.integers(1, n - 1))
    share = successes / n
    ours = effective_wilson(share, math.sqrt(share * (1 - share) / n), n)
    assert ours.low == pytest.approx(wilson(successes, n).low)
    assert ours.high == pytest.approx(wilson(successes, n).high)


def test_at_one_the_number_of_items_decides():
    assert effective_wilson(1.0, 0.0, 20).low == pytest.approx(wilson(20, 20).low)


def test_undefined_stays_undefined():
    assert math.isnan(effective_wilson(math.nan, 0.1, 20).low)
