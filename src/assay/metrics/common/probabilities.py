"""Metrics of predicted probabilities: log loss, Brier score, calibration error."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import divide, register_metric

N_BINS = 10
MIN_PROBABILITY = float(np.finfo(np.float64).eps)  # as scikit-learn clips
# Pairs are tested by swaps of both statistics, which keeps p-values comparable over versions.
LOSS: dict[str, Any] = {"needs": ("probabilities",), "bounds": None, "lower_is_better": True, "compares_means": False}


@register_metric("log-loss", **LOSS)
def score_log_loss(items: AnsweredItems) -> Array:
    """The mean negative logarithm of the probability of the gold label.

    The probabilities of an item are scaled to sum to 1.
    """
    shares = _fill_shares(items)
    shares = np.clip(shares / shares.sum(axis=1, keepdims=True), MIN_PROBABILITY, 1.0)
    return np.asarray(-np.log(shares[np.arange(len(shares)), items.gold]))


@register_metric("brier", **LOSS)
def score_brier(items: AnsweredItems) -> Array:
    """The mean squared distance of probabilities to the truth; halved for two classes, as in scikit-learn."""
    shares = _fill_shares(items)
    truth = np.zeros_like(shares)
    truth[np.arange(len(truth)), items.gold] = 1.0
    distance = ((shares - truth) ** 2).sum(axis=1)
    return np.asarray(distance / 2 if shares.shape[1] == 2 else distance)


def compute_calibration_error(sums: Array) -> Array:
    """Return the mean distance of confidence and accuracy, over tenths of confidence weighted by their size."""
    confidence, correct, n = sums[..., :N_BINS], sums[..., N_BINS : 2 * N_BINS], sums[..., 2 * N_BINS :]
    return divide(np.abs(confidence - correct).sum(axis=-1), n.sum(axis=-1))


@register_metric("calibration-error", **LOSS, combine=compute_calibration_error)
def collect_tenths(items: AnsweredItems) -> Array:
    """The mean distance of confidence and accuracy, over tenths of confidence."""
    return collect_calibration(_fill_shares(items), items.gold)


def collect_calibration(shares: Array, gold: Array) -> Array:
    """Return, for each tenth of confidence, the item's confidence, whether it is right, and one.

    >>> table = collect_calibration(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([0, 1]))
    >>> round(float(compute_calibration_error(table.sum(axis=0))), 3)
    0.45
    """
    rows, best = np.arange(len(shares)), shares.argmax(axis=1)
    confidence, correct = shares[rows, best], best == gold
    bins = np.clip(np.ceil(confidence * N_BINS).astype(int) - 1, 0, N_BINS - 1)
    table = np.zeros((len(shares), 3 * N_BINS))
    table[rows, bins], table[rows, N_BINS + bins], table[rows, 2 * N_BINS + bins] = confidence, correct, 1.0
    return table


def _fill_shares(items: AnsweredItems) -> Array:
    return np.asarray(np.where(items.present[:, None], items.probabilities, 1.0))
