from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.statistics import modified_wilson, wilson


def coverage(interval, p, n):
    counts = np.arange(n + 1)
    ends = [interval(int(count), n) for count in counts]
    held = np.array([end.low <= p <= end.high for end in ends])
    return float(stats.binom.pmf(counts, n, p)[held].sum())


@given(st.integers(1, 300), st.data())
def test_it_holds_wilsons_interval_and_mirrors(n, data):
    count = data.draw(st.integers(0, n))
    ours, plain, mirror = modified_wilson(count, n), wilson(count, n), modified_wilson(n - count, n)
    assert ours.low <= plain.low <= plain.high <= ours.high
    assert (ours.low, ours.high) == pytest.approx((1 - mirror.high, 1 - mirror.low))


@pytest.mark.parametrize("p", [0.01, 0.03, 0.97, 0.99])
def test_rates_near_the_ends_are_held_more_often(p):
    assert coverage(modified_wilson, p, 50) >= coverage(wilson, p, 50)
    assert coverage(modified_wilson, p, 50) > 0.93


def test_the_limit_is_that_of_the_poisson_distribution():
    low = modified_wilson(2, 50).low
    assert low == pytest.approx(stats.chi2.ppf(0.05, 4) / 2 / 50)
