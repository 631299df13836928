from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.statistics import kendall


def test_it_equals_scipy_with_ties():
    generator = np.random.default_rng(0)
    x = generator.integers(5, size=60)
    y = x + generator.integers(4, size=60)
    theirs = stats.kendalltau(x, y)
    ours = kendall(x, y)
    assert (ours.value, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.low < ours.value < ours.high


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    generator = np.random.default_rng(0)
    truth, held = 2 / np.pi * np.arcsin(0.6), 0
    for _ in range(400):
        x = generator.normal(size=80)
        found = kendall(x, 0.6 * x + 0.8 * generator.normal(size=80))
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_constant_input_is_nan_with_a_reason():
    found = kendall([1, 2, 3], [2, 2, 2])
    assert math.isnan(found.value)
    assert found.reason == "y is constant"
