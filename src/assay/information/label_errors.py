"""Labels that a model trained without them prefers to the gold labels (confident learning)."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array


def suggest_labels(probabilities: Array, codes: Array) -> Array:
    """Return the label that each item more probably has, or -1 where its own is not doubted (confident learning).

    A label j is confident where its probability reaches the mean that items labelled j get for it; an item is doubted
    when its most probable confident label is another than its own, and its own is not confident.

    >>> table = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.05, 0.95], [0.02, 0.98]])
    >>> suggest_labels(table, np.array([0, 0, 1, 1, 0])).tolist()
    [-1, -1, -1, -1, 1]
    """
    labels = np.unique(codes)
    thresholds = np.full(probabilities.shape[1], np.inf)
    thresholds[labels] = [probabilities[codes == label, label].mean() for label in labels]
    is_confident = probabilities >= thresholds
    best = np.where(is_confident, probabilities, -1.0).argmax(axis=1)
    own = is_confident[np.arange(len(codes)), codes]
    is_doubted = is_confident.any(axis=1) & (best != codes) & ~own
    return np.where(is_doubted, best, -1)
