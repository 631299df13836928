"""Grades far from what systems predict: doubtful gold grades."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array

TAIL_FREEDOM = 5  # degrees of freedom of the errors of systems on good items: tails heavier than normal
MAX_PROBABILITY = 0.9
LARGE = 3.0  # deviations


@dataclass(frozen=True)
class Residuals:
    """How far each gold grade lies from the systems' common prediction.

    `deviation` is in units of its usual size, `predicted` on the scale of the gold grades; nan if nobody predicted.
    """

    deviation: Array = field(repr=False)
    predicted: Array = field(repr=False)
    probability: Array = field(repr=False)


def measure_residuals(predicted: Array, gold: Array) -> Residuals:
    """Compare gold grades with predictions (systems × items), which are put on the same scale by least squares.

    Systems are weighted by the inverse of their mean squared error. P(bad) is the share of residuals about this large
    beyond what Student's t with five degrees of freedom allows.
    """
    n_systems = len(predicted)
    fitted = np.full(predicted.shape, np.nan)
    weights = np.zeros(n_systems)
    for number, values in enumerate(predicted):
        known = np.isfinite(values) & np.isfinite(gold)
        if known.sum() < 10 or np.ptp(values[known]) == 0:
            continue
        slope, intercept = np.polyfit(values[known], gold[known], 1)
        fitted[number, known] = slope * values[known] + intercept
        weights[number] = 1 / max(float(np.mean((gold[known] - fitted[number, known]) ** 2)), 1e-12)
    share = np.where(np.isfinite(fitted), weights[:, None], 0.0)
    total = share.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        common = np.where(total > 0, np.nansum(np.nan_to_num(fitted) * share, axis=0) / total, np.nan)
    residual = gold - common
    known = np.isfinite(residual)
    scale = np.median(np.abs(residual[known])) / 0.6745 if known.any() else np.nan
    deviation = residual / (scale if scale > 0 else 1.0)
    return Residuals(deviation, common, _estimate_chances(np.abs(deviation)))


def _estimate_chances(size: Array) -> Array:
    from scipy.stats import t
    from sklearn.isotonic import isotonic_regression

    chances = np.zeros(len(size))
    known = np.flatnonzero(np.isfinite(size))
    order = known[np.argsort(-size[known], kind="stable")]
    expected = 2 * t.sf(size[order], TAIL_FREEDOM) * len(order)
    beyond = 1 - np.diff(expected, prepend=0.0)  # of the one item at each rank, how much is not expected
    chances[order] = np.clip(isotonic_regression(beyond, increasing=False), 0.0, MAX_PROBABILITY) * (
        size[order] > LARGE
    )
    return chances
