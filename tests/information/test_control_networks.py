"""The networks among the control models."""

import numpy as np
import pytest

from assay.information.control_networks import ControlNetwork


@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("sizes", [(10,), (30, 30)])
def test_probabilities_are_those_of_scikit_learn(n_labels, sizes):
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(n_labels)
    X = rng.normal(3, 2, size=(450, 5))
    y = np.clip(np.round(X[:, 0] / 3 + X[:, 1] / 4 + rng.normal(0, 0.4, 450)), 0, n_labels - 1).astype(int)
    network = MLPClassifier(sizes, early_stopping=True, n_iter_no_change=8, max_iter=100, random_state=1)
    expected = make_pipeline(StandardScaler(), network).fit(X[:400], y[:400]).predict_proba(X[400:])
    model = ControlNetwork(sizes, random_state=1).fit(X[:400], y[:400])
    assert model.classes_.tolist() == sorted(set(y[:400].tolist()))
    np.testing.assert_allclose(model.predict_proba(X[400:]), expected, rtol=1e-9, atol=1e-12)


def test_a_threshold_is_learned():
    X = np.linspace(-1, 1, 2_000)[:, None]
    y = (X[:, 0] > 0).astype(int)
    predicted = ControlNetwork((10,)).fit(X, y).predict_proba(X).argmax(axis=1)
    assert np.mean(predicted == y) > 0.95
