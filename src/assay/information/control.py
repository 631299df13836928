"""The control model: what can be predicted from the shortcut features alone (paper 003)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HIDDEN = ((10,), (30,), (100,), (300,), (10, 10), (30, 30), (100, 100))  # the paper's
MLPS = tuple("mlp-" + "-".join(map(str, sizes)) for sizes in HIDDEN)
BOOSTING = "boosting"
CONTROLS = (*MLPS, BOOSTING)


def control_model(name: str, random_state: int = 0) -> Any:
    """Return an unfitted control model: an MLP of the paper's sizes, or gradient boosting."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == BOOSTING:
        return HistGradientBoostingClassifier(
            max_iter=60, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=40, l2_regularization=1.0,
            early_stopping=False, random_state=random_state,
        )  # fmt: skip
    sizes = tuple(int(size) for size in name.removeprefix("mlp-").split("-"))
    network = MLPClassifier(sizes, early_stopping=True, n_iter_no_change=8, max_iter=100, random_state=random_state)
    return make_pipeline(StandardScaler(), network)


def fitted_probabilities(
    name: str, X: Array, y: NDArray[np.int64], others: list[Array], n_labels: int, seed: int
) -> list[Array]:
    """Fit a control model and return the probabilities of all labels for other rows."""
    from sklearn.exceptions import ConvergenceWarning

    if len(np.unique(y)) < 2 or np.bincount(y)[np.unique(y)].min() < 2 or len(y) < 20:
        return [np.tile(smoothed_shares(y, n_labels), (len(rows), 1)) for rows in others]
    model = control_model(name, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    return [spread(model.predict_proba(rows), model.classes_, n_labels) for rows in others]


def spread(probabilities: Array, classes: NDArray[np.int64], n_labels: int) -> Array:
    """Give labels that a model never saw a tiny probability, so that every loss is finite."""
    full = np.full((len(probabilities), n_labels), 1e-6)
    full[:, classes] = np.maximum(probabilities, 1e-6)
    return full / full.sum(axis=1, keepdims=True)


def smoothed_shares(codes: NDArray[np.int64], n_labels: int) -> Array:
    """Return the label shares with one imaginary item of each label."""
    counts = np.bincount(codes, minlength=n_labels) + 1.0
    return counts / counts.sum()


def losses(probabilities: Array, codes: NDArray[np.int64]) -> Array:
    """Return the negative log-likelihood of each item's label, in nats."""
    loss: Array = -np.log(probabilities[np.arange(len(codes)), codes])
    return loss
