"""Suspicion fitted to the verdicts of a review: as steep and as high as they say, by group if groups differ."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.reviews.results import GroupRate

MIN_PROBABILITY = 1e-4
MIN_SLOPE = 0.05  # keeps the order of the suspicion even if the verdicts contradict it
SLOPE_ERROR = 0.5  # of the slope 1 that is expected before the review
MAX_GROUP_P = 0.05  # from which on groups are taken to be alike
_N_STEPS = 60


@dataclass(frozen=True)
class Recalibration:
    """Suspicion of all items, nan if they had none; and the groups if they differ."""

    suspicion: Array = field(repr=False)
    groups: list[GroupRate] = field(default_factory=list)


def recalibrate(
    suspicion: Array, rows: Array, bad: Array, n_unseen_bad: float, groups: pl.Series | None = None
) -> Recalibration:
    """Fit suspicion to the verdicts `bad` (0 to 1) on the items `rows`.

    The log-odds keep their order: they are stretched by the most probable slope, and shifted so that the items nobody
    reviewed add up to `n_unseen_bad`, the estimate of the review. If groups differ by more than chance, the odds of
    each are multiplied by how many more bad items it has than expected, shrunk towards 1.

    >>> fitted = recalibrate(np.array([0.1, 0.2, 0.3, 0.4]), np.array([3]), np.array([1.0]), 1.2)
    >>> bool((np.diff(fitted.suspicion) > 0).all()), round(float(fitted.suspicion[:3].sum()), 2)
    (True, 1.2)
    """
    known = np.isfinite(suspicion)
    if not known.any():
        return Recalibration(suspicion)
    odds = _to_odds(suspicion)
    is_used = known[rows]
    used, verdicts = rows[is_used], bad[is_used]
    slope, shift = _fit_slope(odds[used], verdicts)
    fitted = slope * odds + shift
    rates: list[GroupRate] = []
    if groups is not None:
        numbers = groups.rank("dense").to_numpy().astype(np.int64) - 1
        names = groups.unique().sort().to_list()
        rates, effects = _fit_groups(_to_shares(fitted[used]), verdicts, numbers[used], names)
        fitted = fitted + effects[numbers]
    unseen = known.copy()
    unseen[rows] = False
    if unseen.any():
        fitted = fitted + _find_shift(fitted[unseen], min(n_unseen_bad, 0.999 * unseen.sum()))
    return Recalibration(np.where(known, _to_shares(fitted), np.nan), rates)


def _to_odds(suspicion: Array) -> Array:
    """Return log-odds; a suspicion that is not a probability, such as a margin of votes, is stretched to 0 to 1."""
    low, high = float(np.nanmin(suspicion)), float(np.nanmax(suspicion))
    if low < 0 or high > 1:
        suspicion = (suspicion - low) / (high - low) if high > low else np.full_like(suspicion, 0.5)
    shares = np.clip(np.nan_to_num(suspicion, nan=0.5), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(shares / (1 - shares)))


def _to_shares(odds: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


def _fit_slope(odds: Array, bad: Array) -> tuple[float, float]:
    """Return the most probable slope and shift of the log-odds (Platt scaling with a normal prior of the slope)."""
    slope, shift = 1.0, 0.0
    for _ in range(_N_STEPS):
        shares = _to_shares(slope * odds + shift)
        spread = np.maximum(shares * (1 - shares), 1e-9)
        pull, weight = (1 - slope) / SLOPE_ERROR**2, 1 / SLOPE_ERROR**2
        gradient = np.array([(odds * (bad - shares)).sum() + pull, (bad - shares).sum() - 0.1 * shift])
        cross = float((odds * spread).sum())
        curvature = np.array([[float((odds**2 * spread).sum()) + weight, cross], [cross, float(spread.sum()) + 0.1]])
        step = np.clip(np.linalg.solve(curvature, gradient), -1, 1)
        slope, shift = float(slope + step[0]), float(shift + step[1])
        if np.abs(step).max() < 1e-9:
            break
    return max(slope, MIN_SLOPE), shift


def _fit_groups(shares: Array, bad: Array, groups: Array, names: list[str]) -> tuple[list[GroupRate], Array]:
    """Return the rates of reviewed groups and the logarithm of each factor, 0 if groups differ only by chance."""
    from scipy.special import chdtrc

    counts, observed, expected, variance = (
        np.bincount(groups, values, len(names)) for values in (np.ones(len(bad)), bad, shares, shares * (1 - shares))
    )
    present = np.flatnonzero(counts)
    excess = (observed - expected) ** 2
    total = float((excess[present] / np.maximum(variance[present], 1e-9)).sum())
    if len(present) < 2 or chdtrc(len(present) - 1, total) > MAX_GROUP_P:
        return [], np.zeros(len(names))
    prior = 1 / max(float((excess - variance).sum() / max(float((expected**2).sum()), 1e-9)), 1e-3)
    factors = (observed + prior) / (expected + prior)
    rates = [
        GroupRate(names[n], int(counts[n]), float(observed[n]), float(expected[n]), float(factors[n]))
        for n in present.tolist()
    ]
    return rates, np.log(factors)


def _find_shift(odds: Array, total: float) -> float:
    """Return the shift of log-odds after which the probabilities add up to a total (Newton's method in a bracket)."""
    low, high, shift = -40.0, 40.0, 0.0
    for _ in range(_N_STEPS):
        shares = _to_shares(odds + shift)
        gap = total - float(shares.sum())
        low, high = (shift, high) if gap > 0 else (low, shift)
        step = shift + gap / max(float((shares * (1 - shares)).sum()), 1e-12)
        shift, before = (step if low < step < high else (low + high) / 2), shift
        if abs(shift - before) < 1e-10:
            break
    return shift
