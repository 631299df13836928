"""Intervals from resampled values, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.base.errors import UsageError
from assay.statistics import bca, bootstrap_sums, percentile


def leave_one_out(sample):
    return (sample.sum() - sample) / (len(sample) - 1)


def bootstrap_by_scipy(sample, method):
    result = stats.bootstrap((sample,), np.mean, n_resamples=9999, method=method, rng=np.random.default_rng(0))
    return result.confidence_interval


def test_percentile_agrees_with_scipy_on_the_mean():
    sample = np.random.default_rng(3).exponential(size=80)
    theirs = bootstrap_by_scipy(sample, "percentile")
    ours = percentile(bootstrap_sums(sample, 9999)[:, 0] / 80, value=sample.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.high, abs=0.015)


def test_undefined_resamples_are_left_out():
    assert percentile([1.0, 2.0, 3.0, np.nan], 0.5).low == 1.5
    assert np.isnan(percentile([np.nan]).low)


def test_a_confidence_above_one_is_an_error():
    with pytest.raises(UsageError, match="confidence is 95; it must lie between 0 and 1"):
        percentile([1.0], confidence=95)


def test_bca_agrees_with_scipy_on_the_mean_of_skewed_data():
    sample = np.random.default_rng(3).exponential(size=60)
    theirs = bootstrap_by_scipy(sample, "BCa")
    ours = bca(sample.mean(), bootstrap_sums(sample, 9999)[:, 0] / 60, leave_one_out(sample))
    assert ours.method == "bca"
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


def test_bca_leans_towards_the_long_tail():
    sample = np.random.default_rng(3).exponential(size=60)
    resampled = bootstrap_sums(sample, 5000)[:, 0] / 60
    assert bca(sample.mean(), resampled, leave_one_out(sample)).high > percentile(resampled).high


def test_bca_without_any_spread_is_the_percentile_interval():
    interval = bca(1.0, np.ones(100), np.ones(10))
    assert (interval.low, interval.high, interval.method) == (1.0, 1.0, "percentile")


def test_values_too_large_for_a_skew_have_a_percentile_interval():
    large = np.array([1.0, 2.0, 1e300])
    with np.errstate(over="ignore", invalid="ignore"):
        assert bca(2.0, [1.0, 2.0, 3.0], large).method == percentile([1.0, 2.0, 3.0], 0.95, 2.0).method
