"""Stack a full model with the control and calibrate both, on development items."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array

# With few development items a weak model must not become confident: weights are drawn towards the label shares.
SHRINKAGE = 4.0


def fit_stack(full: Array, control: Array, codes: Array) -> tuple[Array, float]:
    """Fit label scores a log p_full + b log p_control + c, and return (a, b, c…) and the temperature 1/a.

    The family contains both models alone, so that with enough development items the stack is no worse than either. X
    contains X_s: a full model that loses to the control is a weak model, not negative information.
    """
    from scipy.optimize import minimize

    n_labels = full.shape[1]
    inputs = np.log(full), np.log(control)
    start = np.r_[0.5, 0.5, np.zeros(n_labels)]
    target = np.eye(n_labels)[codes]
    shrinkage = np.r_[SHRINKAGE, SHRINKAGE, np.full(n_labels, 0.01)]

    def compute_loss(weights: Array) -> tuple[float, Array]:
        scores = weights[0] * inputs[0] + weights[1] * inputs[1] + weights[2:]
        scores -= scores.max(axis=1, keepdims=True)
        probabilities = np.exp(scores)
        totals = probabilities.sum(axis=1, keepdims=True)
        loss = float(np.log(totals).sum() - (scores * target).sum() + 0.5 * (shrinkage * weights) @ weights)
        error = probabilities / totals - target
        gradient = np.r_[(error * inputs[0]).sum(), (error * inputs[1]).sum(), error.sum(axis=0)] + shrinkage * weights
        return loss, gradient

    weights: Array = minimize(compute_loss, start, jac=True, method="L-BFGS-B").x
    return weights, 1.0 / weights[0] if weights[0] > 0 else float("inf")


def apply_stack(weights: Array, full: Array, control: Array) -> Array:
    """Return the probabilities of a stack."""
    scores = weights[0] * np.log(full) + weights[1] * np.log(control) + weights[2:]
    scores -= scores.max(axis=1, keepdims=True)
    probabilities = np.maximum(np.exp(scores), 1e-12)
    return np.asarray(probabilities / probabilities.sum(axis=1, keepdims=True))
