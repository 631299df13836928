from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.base.errors import UsageError
from assay.statistics import spearman


def test_it_equals_scipy_with_ties():
    generator = np.random.default_rng(0)
    x = generator.integers(5, size=60)
    y = x + generator.integers(4, size=60)
    theirs = stats.spearmanr(x, y)
    ours = spearman(x, y)
    assert (ours.value, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.low < ours.value < ours.high


def test_few_pairs_have_an_exact_p():
    generator = np.random.default_rng(0)
    x, y = generator.integers(4, size=6), generator.normal(size=6)
    theirs = stats.permutation_test(
        (x,), lambda order: stats.spearmanr(order, y).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    both = np.mean(np.abs(theirs.null_distribution) >= abs(theirs.statistic) - 1e-9)
    assert spearman(x, y).p == pytest.approx(both)
    assert spearman([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]).p == pytest.approx(2 / 120)


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    generator = np.random.default_rng(0)
    truth, held = 6 / np.pi * np.arcsin(0.6 / 2), 0
    for _ in range(400):
        x = generator.normal(size=80)
        found = spearman(x, 0.6 * x + 0.8 * generator.normal(size=80))
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "x is constant"),
        ([1, 2, 3], [2, 2, 2], "y is constant"),
        ([1], [2], "1 pairs"),
    ],
)
def test_what_has_no_correlation_is_nan_with_a_reason(x, y, reason):
    found = spearman(x, y)
    assert math.isnan(found.value)
    assert found.reason.startswith(reason)


def test_pairs_with_nan_are_left_out():
    assert spearman([1, 2, 3, math.nan], [1, 2, 3, 4]).n == 3


def test_lists_of_unequal_length_are_an_error():
    with pytest.raises(UsageError, match="equally long lists"):
        spearman([1, 2], [1])
