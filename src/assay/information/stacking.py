"""Stack a full model with the control and calibrate both, on development items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHRINK = 4.0  # few development items must not make a weak model loud: weights are drawn towards the label shares


def stack(full: Array, control: Array, codes: NDArray[np.int64]) -> tuple[Array, float]:
    """Fit label scores a log p_full + b log p_control + c, and return (a, b, c…) and the temperature 1/a.

    The family holds both models alone, so that on enough development items the stack is no worse than either; X
    contains X_s, and a full model that loses to the control would be a weak model, not negative information.
    """
    from scipy.optimize import minimize

    n_labels = full.shape[1]
    inputs = np.log(full), np.log(control)
    start = np.r_[0.5, 0.5, np.zeros(n_labels)]
    target = np.eye(n_labels)[codes]
    shrink = np.r_[SHRINK, SHRINK, np.full(n_labels, 0.01)]

    def loss(weights: Array) -> tuple[float, Array]:
        scores = weights[0] * inputs[0] + weights[1] * inputs[1] + weights[2:]
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = np.exp(scores)
        totals = probabilities.sum(axis=1, keepdims=True)
        value = float(np.log(totals).sum() - (scores * target).sum() + 0.5 * (shrink * weights) @ weights)
        error = probabilities / totals - target
        slope = np.r_[(error * inputs[0]).sum(), (error * inputs[1]).sum(), error.sum(axis=0)] + shrink * weights
        return value, slope

    found: Array = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found, 1.0 / found[0] if found[0] > 0 else float("inf")


def stacked(weights: Array, full: Array, control: Array) -> Array:
    """Return the stack's probabilities."""
    scores = weights[0] * np.log(full) + weights[1] * np.log(control) + weights[2:]
    scores -= scores.max(axis=1, keepdims=True)
    probabilities = np.maximum(np.exp(scores), 1e-12)
    return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))
