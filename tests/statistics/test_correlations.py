"""Correlations against scipy, and the coverage of their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.base.errors import UsageError
from assay.statistics import kendall, pearson, spearman

CORRELATIONS = {spearman: stats.spearmanr, kendall: stats.kendalltau, pearson: stats.pearsonr}
# What a normal sample with correlation 0.6 has.
TRUTHS = {spearman: 6 / np.pi * np.arcsin(0.6 / 2), kendall: 2 / np.pi * np.arcsin(0.6), pearson: 0.6}
every_correlation = pytest.mark.parametrize("correlate", CORRELATIONS, ids=lambda function: function.__name__)


@every_correlation
def test_value_and_p_equal_scipy_with_ties(correlate):
    generator = np.random.default_rng(0)
    x = generator.integers(5, size=60)
    y = x + generator.integers(4, size=60)
    theirs = CORRELATIONS[correlate](x, y)
    ours = correlate(x, y)
    assert (ours.value, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.low < ours.value < ours.high


@every_correlation
def test_intervals_contain_the_truth_about_as_often_as_stated(correlate):
    generator = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        x = generator.normal(size=80)
        result = correlate(x, 0.6 * x + 0.8 * generator.normal(size=80))
        covered += result.low <= TRUTHS[correlate] <= result.high
    assert 0.92 <= covered / 400 <= 0.98


def test_the_interval_of_pearson_equals_scipy():
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(2, 30))
    theirs = stats.pearsonr(x, y).confidence_interval(0.9)
    ours = pearson(x, y, confidence=0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_spearman_of_few_pairs_has_an_exact_p():
    generator = np.random.default_rng(0)
    x, y = generator.integers(4, size=6), generator.normal(size=6)
    theirs = stats.permutation_test(
        (x,), lambda order: stats.spearmanr(order, y).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    two_sided = np.mean(np.abs(theirs.null_distribution) >= abs(theirs.statistic) - 1e-9)
    assert spearman(x, y).p == pytest.approx(two_sided)
    assert spearman([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]).p == pytest.approx(2 / 120)


@every_correlation
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "x is constant"),
        ([1, 2, 3], [2, 2, 2], "y is constant"),
        ([1], [2], "1 pairs"),
    ],
)
def test_an_undefined_correlation_is_nan_with_a_reason(correlate, x, y, reason):
    result = correlate(x, y)
    assert math.isnan(result.value)
    assert result.reason.startswith(reason)


@every_correlation
def test_pairs_with_nan_are_left_out(correlate):
    assert correlate([1, 2, 4, math.nan], [1, 2, 3, 4]).n == 3


@every_correlation
def test_lists_of_unequal_length_are_an_error(correlate):
    with pytest.raises(UsageError, match="The lists must be equally long"):
        correlate([1, 2], [1])
