"""Intervals of proportions against statsmodels, scipy and exact coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from assay.base.errors import UsageError
from assay.statistics import (
    effective_wilson,
    modified_wilson,
    newcombe_difference,
    paired_difference_bound,
    wilson,
)


def exact_coverage(interval, p, n):
    counts = np.arange(n + 1)
    ends = [interval(int(count), n) for count in counts]
    covered = np.array([end.low <= p <= end.high for end in ends])
    return float(stats.binom.pmf(counts, n, p)[covered].sum())


@given(st.integers(1, 5000), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_equals_statsmodels(n, share, confidence):
    successes = round(share * n)
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    ours = wilson(successes, n, confidence)
    assert ours.low == pytest.approx(low, abs=1e-12)
    assert ours.high == pytest.approx(high, abs=1e-12)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_wilson_of_no_items_is_undefined():
    assert math.isnan(wilson(0, 0).value)


def test_more_successes_than_items_are_an_error():
    with pytest.raises(UsageError, match="successes must lie between 0 and n, and there are 5 of 4"):
        wilson(5, 4)


def test_a_confidence_above_one_is_an_error():
    with pytest.raises(UsageError, match="confidence is 95; it must lie between 0 and 1"):
        wilson(1, 4, confidence=95)


@given(st.integers(1, 300), st.data())
def test_modified_wilson_contains_wilson_and_is_symmetric(n, data):
    count = data.draw(st.integers(0, n))
    ours, plain, mirror = modified_wilson(count, n), wilson(count, n), modified_wilson(n - count, n)
    assert ours.low <= plain.low <= plain.high <= ours.high
    assert (ours.low, ours.high) == pytest.approx((1 - mirror.high, 1 - mirror.low))


@pytest.mark.parametrize("p", [0.01, 0.03, 0.97, 0.99])
def test_modified_wilson_covers_extreme_rates_more_often(p):
    assert exact_coverage(modified_wilson, p, 50) >= exact_coverage(wilson, p, 50)
    assert exact_coverage(modified_wilson, p, 50) > 0.93


def test_modified_wilson_uses_the_limit_of_the_poisson_distribution():
    assert modified_wilson(2, 50).low == pytest.approx(stats.chi2.ppf(0.05, 4) / 2 / 50)


@given(st.integers(2, 1000), st.data())
def test_effective_wilson_of_a_proportion_is_wilson(n, data):
    successes = data.draw(st.integers(1, n - 1))
    share = successes / n
    ours = effective_wilson(share, math.sqrt(share * (1 - share) / n), n)
    assert ours.low == pytest.approx(wilson(successes, n).low)
    assert ours.high == pytest.approx(wilson(successes, n).high)


def test_effective_wilson_at_one_uses_the_number_of_items():
    assert effective_wilson(1.0, 0.0, 20).low == pytest.approx(wilson(20, 20).low)


def test_effective_wilson_of_an_undefined_value_is_undefined():
    assert math.isnan(effective_wilson(math.nan, 0.1, 20).low)


@given(st.integers(1, 500), st.integers(1, 500), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.9, 0.95]))
def test_the_difference_of_independent_proportions_equals_statsmodels(n, m, p, q, confidence):
    a, b = round(p * n), round(q * m)
    low, high = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff", alpha=1 - confidence)
    ours = newcombe_difference(a, n, b, m, confidence)
    assert ours.value == pytest.approx(a / n - b / m)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-9)


def test_the_difference_without_items_is_undefined():
    assert math.isnan(newcombe_difference(0, 0, 1, 2).value)
    assert math.isnan(paired_difference_bound(0, 0, 0).value)


@pytest.mark.parametrize(("right_a", "right_b"), [(80, 60), (95, 90), (10, 3), (50, 50), (100, 100)])
def test_the_paired_bound_is_the_widest_interval_of_all_overlaps(right_a, right_b):
    n = 100
    bound = paired_difference_bound(right_a, right_b, n)
    widths = []
    for both in range(max(0, right_a + right_b - n), min(right_a, right_b) + 1):
        discordant = (right_a - both) + (right_b - both)
        widths.append(1.959964 * math.sqrt(discordant / n - ((right_a - right_b) / n) ** 2) / math.sqrt(n))
    assert bound.high - bound.value == pytest.approx(min(max(widths), 1 - bound.value), abs=1e-6)
