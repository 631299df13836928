"""The share of wrong labels by the probabilities of models that did not train on the items."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.suspects.probabilities import Doubt
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

    def split(shares: Array) -> Array:
        return np.concatenate([shares * sizes, (1 - shares) * sizes]) / len(codes)

    def curve(parameters: Array) -> Array:
        intercept, slope = (
            mean + deviation * value for (mean, deviation), value in zip(CURVE, parameters, strict=True)
        )
        logits = np.minimum(np.maximum(intercept - np.exp(min(slope, MAX_SLOPE)) * place, -30), 30)
        return split(by_chance / (1 + np.exp(-logits)))

    counts = np.concatenate([n_against, sizes - n_against])
    return weigh_shares(counts, split(1 - n_against / sizes / (n_labels - 1)), curve, np.zeros(2), MIN_DISPERSION)


def doubt_other_labels(table: Array, codes: Array) -> Array:
    """Return the doubt that the model would throw on wrong labels of a sample of the items."""
    from assay.suspects.probabilities import measure_doubt

    n, n_labels = table.shape
    rows = np.arange(0, n, 1 + n * n_labels // MAX_SAMPLE)
    sample, own = table[rows], codes[rows]
    others = [np.flatnonzero(own != label) for label in range(n_labels)]
    return np.concatenate(
        [measure_doubt(sample[kept], np.full(len(kept), label)).order for label, kept in enumerate(others)]
    )
