"""A domain classifier between two parts."""

import numpy as np
import pytest

from assay.splits.comparison.domain_classifier import measure_domain_accuracy


def test_parts_far_apart_are_told_apart_and_permuted_ones_are_not():
    X = np.random.default_rng(0).normal(size=(400, 5))
    part = np.arange(400) < 100
    X[part] += 4
    value, null = measure_domain_accuracy(X, part, ~part, np.random.default_rng(1), n_permutations=50)
    assert value == 1.0
    assert np.mean(null) == pytest.approx(0.5, abs=0.03)
    assert null.max() < 0.75


def test_parts_of_one_distribution_lie_within_the_null():
    X = np.random.default_rng(0).normal(size=(600, 5))
    part = np.arange(600) < 200
    value, null = measure_domain_accuracy(X, part, ~part, np.random.default_rng(1), n_permutations=200)
    assert np.quantile(null, 0.005) < value < np.quantile(null, 0.995)


def test_too_few_rows_give_nan():
    value, null = measure_domain_accuracy(
        np.zeros((8, 2)), np.arange(8) < 4, np.arange(8) >= 4, np.random.default_rng(0), 3
    )
    assert np.isnan([value, *null]).all()
