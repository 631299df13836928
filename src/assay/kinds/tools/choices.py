"""A conditional logistic model: which of an item's options is right, by a linear score of each option."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MAX_ITERATIONS = 40
TOLERANCE = 1e-4


def fit_choices(features: csr_matrix, items: Array, right: Array, penalty: float = 1.0) -> Array:
    """Return the weights that make the right option of each item likely among its options (softmax), with an L2 penalty.

    `features` has one row per option, `items` is the item of each option in rising order, `right` marks the right ones.

    >>> from scipy import sparse
    >>> options = sparse.csr_matrix([[1.0], [0.0], [0.0], [1.0]])
    >>> bool(fit_choices(options, np.array([0, 0, 1, 1]), np.array([1.0, 0.0, 0.0, 1.0]))[0] > 0)
    True
    """
    from scipy.optimize import minimize

    _, codes = np.unique(items, return_inverse=True)
    transposed = features.T.tocsr()
    has_key = np.bincount(codes, weights=right)[codes] > 0

    def lose(weights: Array) -> tuple[float, Array]:
        shares = share_choices(features @ weights, codes)
        loss = -float(np.log(np.maximum(shares[right > 0], 1e-12)).sum()) + penalty * float(weights @ weights) / 2
        return loss, np.asarray(transposed @ np.where(has_key, shares - right, 0.0) + penalty * weights)

    start = np.zeros(features.shape[1])
    options = {"maxiter": MAX_ITERATIONS, "gtol": TOLERANCE * max(len(codes), 1) ** 0.5}
    return np.asarray(minimize(lose, start, jac=True, method="L-BFGS-B", options=options).x)


def share_choices(scores: Array, items: Array) -> Array:
    """Return the softmax of scores within each item.

    >>> share_choices(np.array([0.0, 0.0, 5.0]), np.array([0, 0, 1])).tolist()
    [0.5, 0.5, 1.0]
    """
    if not len(items):
        return np.zeros(0)
    highest = np.full(int(items.max()) + 1, -np.inf)
    np.maximum.at(highest, items, scores)
    powers = np.exp(scores - highest[items])
    return np.asarray(powers / np.bincount(items, weights=powers)[items])
