import numpy as np
import pytest

from assay.discrimination.lambdas.performance_variance import use_deviation
from assay.discrimination.lambdas.spread_intervals import bootstrap_spread, invert_test, simulate_spread


def test_without_noise_the_interval_is_the_value():
    scores = np.array([60.0, 70.0, 80.0])
    result = invert_test(scores, np.zeros((10, 3)), use_deviation, "test")
    assert (result.low, result.high) == pytest.approx((10, 10), abs=1e-6)


def test_more_items_narrow_the_interval():
    generator = np.random.default_rng(0)
    tables = [(generator.random((4, n)) < np.linspace(0.5, 0.8, 4)[:, None]).astype(float) for n in (100, 3000)]
    wide, narrow = (bootstrap_spread(table, use_deviation) for table in tables)
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_a_negative_spread_keeps_its_order():
    scores = np.array([90.0, 94.0, 98.0])
    noise = np.random.default_rng(0).normal(size=(500, 3))
    result = invert_test(scores, noise, lambda deviation, _: -deviation, "test")
    assert result.low <= result.value <= result.high < 0.01


def test_scores_above_100_have_no_binomial_interval():
    assert np.isnan(simulate_spread([1100.0, 1200.0], 100, use_deviation).low)


def test_the_ends_are_the_spreads_at_which_the_observed_one_becomes_rare():
    scores = np.array([60.0, 66.0, 71.0, 80.0])
    noise = np.random.default_rng(1).normal(scale=2.0, size=(2000, 4))
    result = invert_test(scores, noise, use_deviation, "test")
    pattern = (scores - scores.mean()) / scores.std(ddof=1)
    for end, side in ((result.low, 1), (result.high, -1)):
        drawn = (scores.mean() + end * pattern + noise).std(axis=1, ddof=1)
        assert np.mean(side * drawn >= side * result.value) == pytest.approx(0.025, abs=0.001)
