"""The solver stops where scikit-learn's stops, and finds the optimum when it goes on."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression

from assay.models.linear.line_search import LineStep, search_step
from assay.models.linear.logistic import fit_logistic


def problem(n_classes, n=300, n_features=900, seed=0):
    """Sparse rows of length 1 with many rare and some frequent features, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    density = np.clip(2 / np.arange(1, n_features + 1), 0.002, 0.9)
    X = (rng.random((n, n_features)) < density) * rng.random((n, n_features))
    X /= np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)
    scores = X @ rng.normal(size=(n_features, n_classes)) * 5
    return sp.csc_array(X), scores.argmax(axis=1)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("C", [0.1, 5.0, 100.0])
def test_weights_equal_scikit_learn(n_classes, C):
    X, y = problem(n_classes)
    expected = LogisticRegression(C=C, max_iter=1000).fit(X.tocsr(), y)
    fit = fit_logistic(X, y, n_classes, C=C)
    assert fit.converged
    assert fit.n_iterations == expected.n_iter_[0]
    np.testing.assert_allclose(fit.weights.T, expected.coef_, atol=1e-5)
    np.testing.assert_allclose(fit.intercepts, expected.intercept_, atol=1e-5)


def test_weights_of_items_equal_repeated_items():
    X, y = problem(3)
    repeated = np.repeat(np.arange(300), np.arange(300) % 3)
    weights = (np.arange(300) % 3).astype(float)
    one = fit_logistic(X, y, 3, item_weights=weights)
    other = fit_logistic(sp.csc_array(X.tocsr()[repeated]), y[repeated], 3)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_small_tolerance_reaches_the_optimum(n_classes):
    X, y = problem(n_classes)
    fit = fit_logistic(X, y, n_classes, C=2.0, tolerance=1e-9)
    scores = X @ fit.weights + fit.intercepts
    scores = np.hstack([np.zeros_like(scores), scores]) if n_classes == 2 else scores
    probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    residuals = (probabilities - np.eye(n_classes)[y])[:, -fit.weights.shape[1] :]
    np.testing.assert_allclose(2.0 * (X.T @ residuals) + fit.weights, 0, atol=1e-5)  # the gradient
    np.testing.assert_allclose(residuals.sum(axis=0), 0, atol=1e-5)


def test_too_few_iterations_do_not_converge():
    X, y = problem(3)
    fit = fit_logistic(X, y, 3, C=5.0, max_iter=3)
    assert (fit.n_iterations, fit.converged) == (3, False)


def test_items_without_features_get_the_intercept():
    X = sp.csc_array(np.zeros((6, 2)))
    fit = fit_logistic(X, np.array([0, 0, 0, 0, 1, 1]), 2)
    assert not fit.weights.any()
    np.testing.assert_allclose(fit.intercepts, np.log(0.5), atol=1e-3)


@pytest.mark.parametrize("first", [0.01, 1.0, 30.0])
@pytest.mark.parametrize(
    "function",
    [
        lambda t: (np.log1p(np.exp(-4 * t)) + 0.05 * t * t, -4 / (1 + np.exp(4 * t)) + 0.1 * t),
        lambda t: ((t - 3) ** 4, 4 * (t - 3) ** 3),
        lambda t: (np.cosh(t - 2) - 0.3 * t, np.sinh(t - 2) - 0.3),
    ],
    ids=["logistic", "flat", "steep"],
)
def test_the_line_search_ends_at_a_step_that_decreases_enough_and_is_flatter(function, first):
    start = LineStep(0.0, *function(0.0))
    calls = []
    trial = search_step(lambda step: calls.append(step) or function(step), start, first)
    assert trial is not None
    assert calls[-1] == trial.step
    assert trial.value <= start.value + 1e-3 * trial.step * start.slope
    assert abs(trial.slope) <= 0.9 * abs(start.slope)
    assert trial.value >= minimize_scalar(lambda t: function(t)[0], bounds=(0, 10), method="bounded").fun - 1e-9


def test_a_function_that_falls_forever_has_no_step():
    assert search_step(lambda step: (-step, -1.0), LineStep(0.0, 0.0, -1.0), 1.0) is None
