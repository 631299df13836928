"""The area under the ROC curve against scikit-learn and scipy, and the coverage of its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from assay.base.errors import UsageError
from assay.statistics import hanley_mcneil, mann_whitney, roc_auc


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=40))
def test_the_area_equals_scikit_learn_with_ties(items):
    scores, positive = zip(*items, strict=True)
    assume(len(set(positive)) == 2)
    ours = roc_auc(scores, positive)
    assert ours.value == pytest.approx(roc_auc_score(positive, scores))
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


def test_the_test_equals_scipy():
    generator = np.random.default_rng(0)
    a, b = generator.integers(9, size=40), generator.integers(8, size=50)
    theirs = stats.mannwhitneyu(a, b)
    ours = mann_whitney(a, b)
    area = roc_auc(np.concatenate([a, b]), [True] * 40 + [False] * 50)
    assert ours.p == theirs.pvalue
    assert ours.value == theirs.statistic / 2000
    assert (ours.value, ours.low, ours.high) == (area.value, area.low, area.high)


def test_the_interval_contains_the_truth_about_as_often_as_stated():
    generator = np.random.default_rng(0)
    truth = stats.norm.cdf(0.8 / math.sqrt(2))
    covered = 0
    for _ in range(400):
        result = mann_whitney(generator.normal(0.8, size=60), generator.normal(size=90))
        covered += result.low <= truth <= result.high
    assert 0.92 <= covered / 400 <= 0.98


def test_the_error_of_one_half_is_that_of_mann_and_whitneys_test():
    interval = hanley_mcneil(0.5, 10, 20)
    assert (interval.high - interval.value) / 1.96 == pytest.approx(math.sqrt(31 / (12 * 10 * 20)))
    assert hanley_mcneil(0.5, 10, 20, confidence=0.9).high < interval.high


def test_one_kind_of_item_only_has_no_area():
    assert math.isnan(roc_auc([0.1, 0.2], [True, True]).value)
    assert math.isnan(mann_whitney([], [1.0]).value)


def test_lists_of_unequal_length_are_an_error():
    with pytest.raises(UsageError, match="The lists must be equally long"):
        roc_auc([0.1, 0.2], [True])
