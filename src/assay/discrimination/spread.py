"""Intervals of any spread of the systems' scores: over items, or from the number of items alone.

Noise in the scores adds to their spread, so percentile and BCa intervals of λ lie too high and cover 83–90 %. Here
the ends are the spreads that would give one as large, or as small, as the observed one in 2.5 % of all cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.resampling import mean_of, mean_sums
from assay.statistics import Interval, bootstrap_sums

Spread = Callable[[Array], Array]
Value = Callable[[Array], Any]

NO_ITEMS = "needs item outcomes or n_items; a bootstrap over a handful of systems does not cover"


def none(value: float) -> Interval:
    """Return the interval of a score table alone: there is none."""
    return Interval(value, math.nan, math.nan, method="none")


def over_items(
    outcomes: Any,
    spread: Spread,
    scale: float = 100.0,
    n_resamples: int = 1000,
    random_state: int = 0,
    groups: Any = None,
) -> Interval:
    """Bootstrap the items (whole groups where given) under the systems' mean outcomes.

    `outcomes` is systems × items, `spread` maps rows of scores to one number each.
    """
    sums = mean_sums(np.asarray(outcomes, dtype=float))
    return over_sums(sums, mean_of, spread, scale, n_resamples, random_state, groups)


def over_sums(
    sums: Array, value: Value, spread: Spread, scale: float, n_resamples: int, random_state: int, groups: Any
) -> Interval:
    """Bootstrap the items under any metric that follows from sums (systems × items × sums)."""
    n_systems, n_items, n_sums = sums.shape
    flat = sums.transpose(1, 0, 2).reshape(n_items, n_systems * n_sums)
    drawn = bootstrap_sums(flat, n_resamples, random_state, groups).reshape(-1, n_systems, n_sums)
    scores = scale * np.asarray(value(sums.sum(axis=1)[None]))[0]
    return inverted(scores, scale * np.asarray(value(drawn)) - scores, spread, "bootstrap test inversion")


def over_binomial(
    scores: Any, n_items: Any, spread: Spread, scale: float = 100.0, n_resamples: int = 1000, random_state: int = 0
) -> Interval:
    """Draw every score anew as a share of `n_items` right answers.

    Only approximate: it takes the score for an accuracy and the systems for independent.
    """
    values = np.asarray(scores, dtype=float)
    sizes = np.broadcast_to(np.asarray(n_items, dtype=float), values.shape)
    shares = values / scale
    if not (np.isfinite(sizes).all() and (sizes >= 1).all() and (shares >= 0).all() and (shares <= 1).all()):
        return none(float(spread(values[None])[0]))
    drawn = np.random.default_rng(random_state).binomial(sizes.astype(np.int64), shares, (n_resamples, len(values)))
    return inverted(values, drawn / sizes * scale - values, spread, "binomial test inversion")


def inverted(scores: Array, noise: Array, spread: Spread, method: str, confidence: float = 0.95) -> Interval:
    """Find how much the scores' pattern must shrink or stretch before the observed spread becomes rare.

    `noise` (draws × systems) is what the scores might have been besides. Even without any true spread the
    observed one may not be rare: then the lower end is 0.
    """
    value = float(spread(scores[None])[0])
    noise = noise[np.isfinite(noise).all(axis=1)]
    if not len(noise) or not math.isfinite(value):
        return none(value)
    middle, sign, tail = float(scores.mean()), math.copysign(1.0, value), (1 - confidence) / 2
    pattern = scores - middle if np.ptp(scores) > 0 else np.linspace(-1.0, 1.0, len(scores))

    def at(stretch: float, around: Any = 0.0) -> Array:
        return sign * spread(np.atleast_2d(middle + stretch * pattern + around))

    slack = 1e-9 * max(1.0, abs(value))
    low = _root(lambda stretch: float(np.mean(at(stretch, noise) >= sign * value - slack)) - tail, 1.0)
    high = _root(
        lambda stretch: tail - float(np.mean(at(stretch, noise) <= sign * value + slack)), _far(pattern, noise)
    )
    ends = sorted([sign * float(at(low)[0]), max(sign * float(at(high)[0]), value, key=abs)])
    return Interval(value, ends[0], ends[1], confidence, method)


def _far(pattern: Array, noise: Array) -> float:
    return 1.0 + 20.0 * float(noise.std()) / float(pattern.std())


def _root(rising: Callable[[float], float], most: float) -> float:
    """Find where a rising function crosses 0 between 0 and `most`; the nearer end where it does not."""
    if rising(0.0) >= 0:
        return 0.0
    low, high = 0.0, most
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) >= 0 else (middle, high)
    return high
