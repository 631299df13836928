"""The differences of pairs, which models have weights for and matrices no columns."""

from __future__ import annotations

import numpy as np

from assay.models.linear.pair_features import replace_differences, restore_differences


def make_matrices(rng):
    """Two kinds of n-grams: the stored columns a, b, a · b, min(a, b) and cosine, and those with |a − b|."""
    stored, plain = [], []
    for size in (3, 5):
        a, b = (rng.random((2, 20, size)) * (rng.random((2, 20, size)) < 0.5)).tolist()
        a, b = np.array(a), np.array(b)
        cosine = (a * b).sum(axis=1, keepdims=True)
        stored += [a, b, a * b, np.minimum(a, b), cosine]
        plain += [a, b, a * b, abs(a - b), cosine]
    return np.hstack(stored), np.hstack(plain)


def test_stored_columns_give_the_scores_and_sums_of_differences():
    rng = np.random.default_rng(0)
    stored, plain = make_matrices(rng)
    weights, coefficients = rng.normal(size=(plain.shape[1], 3)), rng.normal(size=(20, 3))
    np.testing.assert_allclose(stored @ replace_differences(weights, (3, 5)), plain @ weights)
    np.testing.assert_allclose(restore_differences(stored.T @ coefficients, (3, 5)), plain.T @ coefficients)


def test_features_of_texts_stay_as_they_are():
    weights = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(replace_differences(weights, ()), weights)
    np.testing.assert_array_equal(restore_differences(weights, ()), weights)
