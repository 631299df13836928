"""Metrics of predicted probabilities: log loss, Brier score, calibration error."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, counted, ratio

N_BINS = 10
SMALLEST = float(np.finfo(np.float64).eps)  # as scikit-learn clips


def _log_loss(items: Items) -> Array:
    shares = _shares(items)
    given = np.clip(shares / shares.sum(axis=1, keepdims=True), SMALLEST, 1.0)
    return counted(items, -np.log(_of_gold(items, given)), np.ones(len(given)))


def _brier(items: Items) -> Array:
    """Return the squared distance to the truth, halved for two classes (as in scikit-learn)."""
    shares = _shares(items)
    truth = np.zeros_like(shares)
    truth[np.arange(len(truth)), items.gold] = 1.0
    distance = ((shares - truth) ** 2).sum(axis=1)
    return counted(items, distance / 2 if shares.shape[1] == 2 else distance, np.ones(len(shares)))


def _calibration(items: Items) -> Array:
    assert items.gold is not None
    table = calibration_table(_shares(items), items.gold)
    table[~items.present] = 0.0
    return table


def calibration_table(shares: Array, gold: Array) -> Array:
    """Return, for each tenth of confidence, the item's confidence, whether it is right, and one.

    >>> table = calibration_table(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([0, 1]))
    >>> round(float(calibration_error(table.sum(axis=0))), 3)
    0.45
    """
    rows, best = np.arange(len(shares)), shares.argmax(axis=1)
    sure, hit = shares[rows, best], best == gold
    bins = np.clip(np.ceil(sure * N_BINS).astype(int) - 1, 0, N_BINS - 1)
    table = np.zeros((len(shares), 3 * N_BINS))
    table[rows, bins], table[rows, N_BINS + bins], table[rows, 2 * N_BINS + bins] = sure, hit, 1.0
    return table


def calibration_error(sums: Array) -> Array:
    """Return the mean distance of confidence and accuracy, over tenths of confidence, by their size."""
    sure, hit, n = sums[..., :N_BINS], sums[..., N_BINS : 2 * N_BINS], sums[..., 2 * N_BINS :]
    return ratio(np.abs(sure - hit).sum(axis=-1), n.sum(axis=-1))


def _mean(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])


def _shares(items: Items) -> Array:
    assert items.probabilities is not None
    shares = np.where(items.present[:, None], items.probabilities, 1.0)
    return np.asarray(shares)


def _of_gold(items: Items, shares: Array) -> Array:
    chosen: Array = shares[np.arange(len(shares)), items.gold]
    return chosen


_NEEDS = ("probabilities",)
LOG_LOSS = Metric("log-loss", _NEEDS, _log_loss, _mean, bounds=None, lower_is_better=True)
BRIER = Metric("brier", _NEEDS, _brier, _mean, bounds=None, lower_is_better=True)
CALIBRATION_ERROR = Metric(
    "calibration-error", _NEEDS, _calibration, calibration_error, bounds=None, lower_is_better=True
)
