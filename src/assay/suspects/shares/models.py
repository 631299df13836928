"""The share of wrong labels by the probabilities of models that did not train on the items."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.suspects.probabilities import Doubt, doubt_labels
from assay.suspects.shares.estimation import MIN_DISPERSION, weigh_shares

N_BINS = 20
MIN_BIN_ITEMS = 25
# Mean and deviation, over datasets, of the intercept and the logarithm of the slope of a model's errors on right labels.
CURVE = ((1.5, 1.0), (0.6, 0.5))
MAX_SLOPE = 5.0
MAX_SAMPLE = 400_000  # of items × labels


def weigh_model_shares(doubt: Doubt, codes: Array, n_labels: int) -> Array | None:
    """Return the log likelihood of the share of wrong labels; None if there are too few items.

    On right labels the model is wrong less and less often as its confidence rises, along a logistic curve; it
    contradicts labels that are wrong at random at any confidence.
    """
    n_bins = min(N_BINS, len(codes) // MIN_BIN_ITEMS)
    if n_bins < 4 or n_labels < 2:
        return None
    against = doubt.mark_disagreement(codes)
    bins = np.array_split(np.argsort(doubt.confidence, kind="stable"), n_bins)
    sizes = np.array([len(rows) for rows in bins], dtype=float)
    place = np.array([doubt.confidence[rows].mean() for rows in bins])
    n_against = np.array([against[rows].sum() for rows in bins], dtype=float)
    by_chance = 1 - 1 / n_labels
    means, deviations = np.array(CURVE).T

    def split(shares: Array) -> Array:
        return np.concatenate([shares * sizes, (1 - shares) * sizes], axis=-1) / len(codes)

    def curve(parameters: Array) -> Array:
        intercept, slope = np.moveaxis(means + deviations * parameters, -1, 0)[..., None]
        logits = np.clip(intercept - np.exp(np.minimum(slope, MAX_SLOPE)) * place, -30, 30)
        return split(by_chance / (1 + np.exp(-logits)))

    counts = np.concatenate([n_against, sizes - n_against])
    return weigh_shares(counts, split(1 - n_against / sizes / (n_labels - 1)), curve, 2, MIN_DISPERSION)


def doubt_other_labels(table: Array, codes: Array) -> Array:
    """Return the doubt that the model would throw on wrong labels of a sample of the items."""
    n, n_labels = table.shape
    rows = np.arange(0, n, 1 + n * n_labels // MAX_SAMPLE)
    return doubt_labels(table[rows]).T[codes[rows] != np.arange(n_labels)[:, None]]
