"""What the losses say of single items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SOLVED_FROM = 0.1  # nats that the shortcuts must tell about an item


def pointwise_information(loss_without: Array, loss_with: Array) -> Array:
    """Return how many nats the input tells about each item's label: negative where it misleads (PVI).

    >>> pointwise_information(np.array([0.7]), np.array([0.1])).round(3).tolist()
    [0.6]
    """
    return loss_without - loss_with


def shortcut_solvable(probabilities: Array, codes: NDArray[np.int64], null_loss: Array) -> NDArray[np.bool_]:
    """Mark items whose label the control model names, and about which it knows at least 0.1 nats.

    A control that knows nothing over all items solves none.
    """
    own = probabilities[np.arange(len(codes)), codes]
    known = pointwise_information(null_loss, -np.log(own))
    if known.mean() <= 0:
        return np.zeros(len(codes), bool)
    return np.asarray((probabilities.argmax(axis=1) == codes) & (known >= SOLVED_FROM))


def suspected_errors(
    probabilities: Array, codes: NDArray[np.int64], null_loss: Array | None = None
) -> NDArray[np.int64]:
    """Return the label that each item more likely has, or -1 where its own is not doubted (confident learning).

    A label j is confident where its probability reaches the mean that items labelled j get for it; an item is suspected
    when its most probable confident label is another than its own, and its own is not confident. Given the losses
    without input, a model that tells less than 0.1 nats about the labels doubts none of them.

    >>> sure = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.05, 0.95], [0.02, 0.98]])
    >>> suspected_errors(sure, np.array([0, 0, 1, 1, 0])).tolist()
    [-1, -1, -1, -1, 1]
    """
    own_loss = -np.log(np.maximum(probabilities[np.arange(len(codes)), codes], 1e-12))
    if null_loss is not None and pointwise_information(null_loss, own_loss).mean() < SOLVED_FROM:
        return np.full(len(codes), -1)
    labels = np.unique(codes)
    bar = np.full(probabilities.shape[1], np.inf)
    bar[labels] = [probabilities[codes == label, label].mean() for label in labels]
    confident = probabilities >= bar
    best = np.where(confident, probabilities, -1.0).argmax(axis=1)
    own = confident[np.arange(len(codes)), codes]
    doubted = confident.any(axis=1) & (best != codes) & ~own
    return np.where(doubted, best, -1)
