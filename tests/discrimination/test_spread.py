import numpy as np
import pytest

from assay.discrimination.performance_variance import deviation
from assay.discrimination.spread import inverted, over_binomial, over_items


def test_without_noise_the_interval_is_the_value():
    scores = np.array([60.0, 70.0, 80.0])
    found = inverted(scores, np.zeros((10, 3)), deviation, "test")
    assert (found.low, found.high) == pytest.approx((10, 10), abs=1e-6)


def test_more_items_narrow_the_interval():
    generator = np.random.default_rng(0)
    tables = [(generator.random((4, n)) < np.linspace(0.5, 0.8, 4)[:, None]).astype(float) for n in (100, 3000)]
    wide, narrow = (over_items(table, deviation) for table in tables)
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_a_negative_spread_keeps_its_order():
    scores = np.array([90.0, 94.0, 98.0])
    noise = np.random.default_rng(0).normal(size=(500, 3))
    found = inverted(scores, noise, lambda rows: -deviation(rows), "test")
    assert found.low <= found.value <= found.high < 0.01


def test_scores_that_are_no_shares_have_no_binomial_interval():
    assert np.isnan(over_binomial([1100.0, 1200.0], 100, deviation).low)
