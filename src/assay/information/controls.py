"""Control models: what can be predicted from the shortcut features alone (Zhu et al. 2021)."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array

HIDDEN_SIZES = ((10,), (30,), (100,), (300,), (10, 10), (30, 30), (100, 100))  # of the paper
MLPS = tuple("mlp-" + "-".join(map(str, sizes)) for sizes in HIDDEN_SIZES)
BOOSTING = "boosting"
CONTROLS = (*MLPS, BOOSTING)
MIN_PROBABILITY = 1e-6
MIN_TRAIN_ITEMS = 20


def make_control(name: str, random_state: int = 0) -> Any:
    """Return an unfitted control model: an MLP of the paper's sizes, or gradient boosting."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    from assay.information.control_networks import ControlNetwork

    if name == BOOSTING:
        return HistGradientBoostingClassifier(
            max_iter=60, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=40, l2_regularization=1.0,
            early_stopping=False, random_state=random_state,
        )  # fmt: skip
    sizes = tuple(int(size) for size in name.removeprefix("mlp-").split("-"))
    return ControlNetwork(sizes, random_state)


def predict_with_control(
    name: str, X: Array, y: Array, others: list[Array], n_labels: int, random_state: int
) -> list[Array]:
    """Fit a control model and return the probabilities of all labels for other rows."""
    if len(np.unique(y)) < 2 or np.bincount(y)[np.unique(y)].min() < 2 or len(y) < MIN_TRAIN_ITEMS:
        return [np.tile(smooth_shares(y, n_labels), (len(rows), 1)) for rows in others]
    model = make_control(name, random_state).fit(X, y)
    return [spread_over_labels(model.predict_proba(rows), model.classes_, n_labels) for rows in others]


def spread_over_labels(probabilities: Array, classes: Array, n_labels: int) -> Array:
    """Give labels that are absent from training a tiny probability, so that every loss is finite."""
    full = np.full((len(probabilities), n_labels), MIN_PROBABILITY)
    full[:, classes] = np.maximum(probabilities, MIN_PROBABILITY)
    return np.asarray(full / full.sum(axis=1, keepdims=True))


def smooth_shares(codes: Array, n_labels: int) -> Array:
    """Return the label shares with one imaginary item of each label."""
    counts = np.bincount(codes, minlength=n_labels) + 1.0
    return np.asarray(counts / counts.sum())


def compute_losses(probabilities: Array, codes: Array) -> Array:
    """Return the negative log-likelihood of each item's label, in nats."""
    return np.asarray(-np.log(probabilities[np.arange(len(codes)), codes]))
