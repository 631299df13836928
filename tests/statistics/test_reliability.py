"""Cronbach's alpha by another formula, and the coverage of Feldt's interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.statistics import cronbach_alpha, feldt_interval


def simulate_scores(n_takers, n_items, generator):
    """Draw parallel items with a true alpha of n / (n + 3): ability of variance 1, noise of variance 3."""
    return generator.normal(size=(n_takers, 1)) + math.sqrt(3) * generator.normal(size=(n_takers, n_items))


def test_alpha_equals_the_formula_on_covariances():
    table = simulate_scores(30, 8, np.random.default_rng(0))
    covariances = np.cov(table.T)
    mean_covariance = (covariances.sum() - np.trace(covariances)) / (8 * 7)
    assert cronbach_alpha(table).value == pytest.approx(64 * mean_covariance / covariances.sum())


def test_feldts_interval_contains_alpha_about_as_often_as_stated():
    generator = np.random.default_rng(0)
    intervals = [cronbach_alpha(simulate_scores(25, 12, generator)) for _ in range(400)]
    covered = np.mean([interval.low <= 12 / 15 <= interval.high for interval in intervals])
    assert 0.92 <= covered <= 0.98


def test_more_test_takers_narrow_the_interval():
    few, many = feldt_interval(0.8, 10, 100), feldt_interval(0.8, 100, 100)
    assert few.low < many.low < 0.8 < many.high < few.high


@pytest.mark.parametrize("table", [[[1, 0]], [[1], [0]], [[1, 0], [0, 1]]])
def test_what_has_no_alpha_is_nan(table):
    assert math.isnan(cronbach_alpha(table).value)


def test_a_list_is_not_a_table():
    with pytest.raises(UsageError, match="needs a table of test takers × items"):
        cronbach_alpha([1, 0, 1])
