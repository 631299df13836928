from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.statistics import bca, bootstrap_sums, percentile


def leave_one_out(sample):
    return (sample.sum() - sample) / (len(sample) - 1)


def test_it_agrees_with_scipy_on_the_mean_of_skewed_data():
    sample = np.random.default_rng(3).exponential(size=60)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=9999, method="BCa", rng=np.random.default_rng(0))
    ours = bca(sample.mean(), bootstrap_sums(sample, 9999)[:, 0] / 60, leave_one_out(sample))
    assert ours.method == "bca"
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.02)


def test_it_leans_towards_the_long_tail():
    sample = np.random.default_rng(3).exponential(size=60)
    resampled = bootstrap_sums(sample, 5000)[:, 0] / 60
    assert bca(sample.mean(), resampled, leave_one_out(sample)).high > percentile(resampled).high


def test_without_any_spread_it_is_the_percentile_interval():
    found = bca(1.0, np.ones(100), np.ones(10))
    assert (found.low, found.high, found.method) == (1.0, 1.0, "percentile")
