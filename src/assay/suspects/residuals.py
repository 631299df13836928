"""Grades far from what systems predict: doubtful gold grades."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.suspects.shares.estimation import weigh_shares

MIN_FREEDOM = 2.0  # of Student's t: tails of right grades are never heavier
MIN_ITEMS, N_BINS = 50, 30
LARGE = 3.0  # deviations


@dataclass(frozen=True)
class Residuals:
    """How far each gold grade lies from the systems' common prediction.

    `deviation` is in units of its usual size, `predicted` on the scale of the gold grades; nan if nobody predicted.
    `of_wrong` are sizes of deviations of wrong grades: the gold grades of other items.
    """

    deviation: Array = field(repr=False)
    predicted: Array = field(repr=False)
    of_wrong: Array = field(repr=False)


def measure_residuals(predicted: Array, gold: Array) -> Residuals:
    """Compare gold grades with predictions (systems × items), which are put on the same scale by least squares.

    Systems are weighted by the inverse of their mean squared error.
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
    scale = scale if scale > 0 else 1.0
    numbers = np.flatnonzero(known)
    steps = (len(numbers) // 2, len(numbers) // 3, len(numbers) // 5)
    of_wrong = [np.roll(gold[numbers], max(step, 1)) - common[numbers] for step in steps]
    return Residuals(residual / scale, common, np.abs(np.concatenate(of_wrong)) / scale)


def weigh_residual_shares(size: Array, of_wrong: Array) -> Array | None:
    """Return the log likelihood of the share of wrong grades, from the sizes of deviations.

    Deviations of right grades follow Student's t, whose scale and freedom are fitted.
    """
    from scipy.stats import t

    if len(size) < MIN_ITEMS:
        return None
    edges = np.append(np.unique(np.quantile(size, np.linspace(0, 1, N_BINS, endpoint=False))), np.inf)

    def curve(parameters: Array) -> Array:
        width, freedom = np.moveaxis(parameters, -1, 0)[..., None]
        tails = t.sf(edges * np.exp(-width), MIN_FREEDOM + np.exp(1 + freedom))
        return np.asarray(-np.diff(tails) / np.maximum(tails[..., :1], 1e-9))

    counts, wrong = (np.histogram(sizes, edges)[0].astype(float) for sizes in (size, of_wrong))
    return weigh_shares(counts, wrong / max(wrong.sum(), 1.0), curve, 2)
