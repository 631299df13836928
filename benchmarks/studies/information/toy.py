"""Toy data whose conditional entropy is known: how far off is a held-out loss (Zhu et al. 2021, §3.4)."""

from __future__ import annotations

import math
import warnings

import numpy as np

from assay.base.arrays import Array

SHARES = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))


def measure_toy_gap(g: str, m: int, p_x: float, p_y: float, n_train: int, n_dev: int, seed: int) -> float:
    """Return the held-out loss of scikit-learn's default MLP minus H(Y|X) of one setting, in nats.

    X has m Bernoulli(p_x) features, Y = g(X) + Bernoulli(p_y) with g the sum or the conjunction, so H(Y|X) is that of
    the noise alone. The paper gives neither grid nor sizes.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier
    from threadpoolctl import threadpool_limits

    X, y = draw_toy_data(g, m, p_x, p_y, n_train + n_dev, seed)
    network = MLPClassifier(random_state=seed)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(X[:n_train], y[:n_train])
    probabilities = network.predict_proba(X[n_train:])
    columns_of = {label: column for column, label in enumerate(network.classes_.tolist())}
    columns = np.array([columns_of.get(label, -1) for label in y[n_train:].tolist()])
    own = np.where(columns >= 0, probabilities[np.arange(n_dev), columns], 0.0)
    entropy = -(p_y * math.log(p_y) + (1 - p_y) * math.log(1 - p_y))
    return float(-np.log(np.maximum(own, 1e-6)).mean()) - entropy


def draw_toy_data(g: str, m: int, p_x: float, p_y: float, n: int, seed: int) -> tuple[Array, Array]:
    """Draw X and Y = g(X) + noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) < p_x
    value = X.sum(axis=1) if g == "sum" else X.all(axis=1)
    return X.astype(np.float64), value.astype(np.int64) + (rng.random(n) < p_y)
