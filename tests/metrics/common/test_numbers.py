from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats


def test_metrics_of_grades_equal_scipy(score):
    generator = np.random.default_rng(0)
    gold = generator.integers(0, 50, size=80) / 10
    predicted = gold + generator.normal(size=80)
    assert score("pearson", gold, predicted).value == pytest.approx(stats.pearsonr(gold, predicted).statistic)
    assert score("spearman", gold, predicted).value == pytest.approx(stats.spearmanr(gold, predicted).statistic)
    assert score("rmse", gold, predicted).value == pytest.approx(np.sqrt(np.mean((gold - predicted) ** 2)))


@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_constant_grades_have_no_correlation(score, name):
    correlation = score(name, [0.5, 1.5, 2.5, 3.5], [1.0] * 4)
    assert math.isnan(correlation.value)
    assert correlation.reason == "gold or predictions are constant"


def test_answers_that_are_not_numbers_count_as_the_farthest_grade(score):
    rmse = score("rmse", [0.5, 1.5, 2.5], ["0.5", "much", "4.5"])
    assert (rmse.value, rmse.n) == (pytest.approx(math.sqrt((0 + 1 + 4) / 3)), 3)
