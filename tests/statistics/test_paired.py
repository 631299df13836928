"""Tests of two systems on the same items, against scipy and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from assay.base.errors import UsageError
from assay.statistics import mcnemar, paired_permutation


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_equals_statsmodels(b, c):
    theirs = statsmodels_mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert mcnemar(b, c).p == pytest.approx(theirs, rel=1e-9)


def test_negative_counts_are_an_error():
    with pytest.raises(UsageError, match="Counts cannot be negative"):
        mcnemar(-1, 2)


def scipy_p(difference, n_resamples=9999):
    result = stats.permutation_test(
        (difference,), np.mean, permutation_type="samples", n_resamples=n_resamples, rng=np.random.default_rng(1)
    )
    return result.pvalue


def test_few_items_are_counted_exactly_as_by_scipy():
    generator = np.random.default_rng(0)
    a, b = generator.normal(0.5, size=10), generator.normal(size=10)
    ours = paired_permutation(a, b)
    assert ours.exact
    assert ours.p == pytest.approx(scipy_p(a - b, n_resamples=2000))


def test_many_items_agree_with_scipy():
    generator = np.random.default_rng(0)
    a, b = generator.normal(0.15, size=200), generator.normal(size=200)
    ours = paired_permutation(a, b)
    assert not ours.exact
    assert ours.p == pytest.approx(scipy_p(a - b), abs=0.015)


def test_right_and_wrong_answers_are_counted_exactly_at_any_size():
    a = np.r_[np.ones(60), np.zeros(40), np.ones(900)]
    b = np.r_[np.zeros(60), np.ones(40), np.ones(900)]
    ours = paired_permutation(a, b)
    assert ours.exact
    assert ours.p == pytest.approx(stats.binomtest(60, 100).pvalue)


def test_the_sign_of_the_difference_does_not_matter():
    generator = np.random.default_rng(0)
    a, b = generator.normal(size=50), generator.normal(size=50)
    assert paired_permutation(a, b).p == pytest.approx(paired_permutation(b, a).p, abs=0.02)


def test_the_order_of_rows_does_not_matter():
    generator = np.random.default_rng(0)
    a, b = generator.normal(size=50), generator.normal(size=50)
    order = generator.permutation(50)
    assert paired_permutation(a, b).p == paired_permutation(a[order], b[order]).p


def test_p_is_never_zero():
    assert paired_permutation(np.linspace(1, 2, 100), np.zeros(100), n_permutations=99).p == 0.01


def test_groups_are_swapped_whole():
    a, b = np.repeat([1.0, 2.0, 3.0], 10), np.zeros(30)
    assert paired_permutation(a, b, groups=np.repeat([1, 2, 3], 10)).p == 0.25


def test_equal_systems_have_p_one_and_nan_is_undefined():
    assert paired_permutation([1, 0, 1], [1, 0, 1]).p == 1.0
    assert math.isnan(paired_permutation([1, math.nan], [0, 0]).p)


def test_lists_of_unequal_length_are_an_error():
    with pytest.raises(UsageError, match="The lists must be equally long"):
        paired_permutation([1, 2], [1])
