"""Intervals of a spread of the systems' scores: over items, or from the number of items alone.

Noise in the scores adds to their spread, so percentile and BCa intervals of λ are too high and cover 83–90%. Here
the ends are the spreads that would give one as large, or as small, as the observed one in 2.5% of all cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.discrimination.lambdas.resampling import divide_sums, sum_outcomes
from assay.statistics import Interval, bootstrap_sums

Spread = Callable[[Any, Any], Any]  # standard deviation (ddof = 1) and mean of the scores to a spread
Metric = Callable[[Array], Any]  # sums to scores

NO_ITEMS = "needs item outcomes or n_items; a bootstrap over a handful of systems does not cover"
BISECTIONS = 40
BOOTSTRAP = "bootstrap test inversion"


def skip_interval(value: float) -> Interval:
    """Return a value without interval, as for a score table alone."""
    return Interval(value, math.nan, math.nan, method="none")


def bootstrap_spread(
    outcomes: ArrayLike,
    spread: Spread,
    scale: float = 100.0,
    n_resamples: int = 1000,
    random_state: int = 0,
    groups: ArrayLike | None = None,
) -> Interval:
    """Bootstrap the items (whole groups if there are any) under the mean outcome of every system (systems × items)."""
    sums = sum_outcomes(np.asarray(outcomes, dtype=float))
    return bootstrap_metric_spread(sums, divide_sums, spread, scale, n_resamples, random_state, groups)


def bootstrap_metric_spread(
    sums: Array,
    metric: Metric,
    spread: Spread,
    scale: float,
    n_resamples: int,
    random_state: int,
    groups: ArrayLike | None,
) -> Interval:
    """Bootstrap the items under any metric that is a function of sums (systems × items × sums)."""
    scores, noise = draw_noise(sums, metric, scale, n_resamples, random_state, groups)
    return invert_test(scores, noise, spread, BOOTSTRAP)


def draw_noise(
    sums: Array, metric: Metric, scale: float, n_resamples: int, random_state: int, groups: ArrayLike | None
) -> tuple[Array, Array]:
    """Return the scores, and their errors on bootstrapped items (draws × systems)."""
    n_systems, n_items, n_sums = sums.shape
    flat = sums.transpose(1, 0, 2).reshape(n_items, n_systems * n_sums)
    drawn = bootstrap_sums(flat, n_resamples, random_state, groups).reshape(-1, n_systems, n_sums)
    scores = scale * np.asarray(metric(sums.sum(axis=1)[None]))[0]
    return scores, scale * np.asarray(metric(drawn)) - scores


def simulate_spread(
    scores: ArrayLike,
    n_items: ArrayLike | None,
    spread: Spread,
    scale: float = 100.0,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> Interval:
    """Draw every score again as a share of `n_items` right answers.

    Only approximate: it treats the score as an accuracy and the systems as independent.
    """
    values = np.asarray(scores, dtype=float)
    noise = simulate_noise(values, n_items, scale, n_resamples, random_state)
    if noise is None:
        return skip_interval(measure_spread(values, spread))
    return invert_test(values, noise, spread, "binomial test inversion")


def simulate_noise(
    scores: Array, n_items: ArrayLike | None, scale: float = 100.0, n_resamples: int = 1000, random_state: int = 0
) -> Array | None:
    """Return the errors of scores that are shares of right answers (draws × systems); None if they cannot be."""
    sizes = np.broadcast_to(np.asarray(n_items, dtype=float), scores.shape)
    shares = scores / scale
    if not (np.isfinite(sizes).all() and (sizes >= 1).all() and (shares >= 0).all() and (shares <= 1).all()):
        return None
    drawn = np.random.default_rng(random_state).binomial(sizes.astype(np.int64), shares, (n_resamples, len(scores)))
    return np.asarray(drawn / sizes * scale - scores)


def invert_test(scores: Array, noise: Array, spread: Spread, method: str, confidence: float = 0.95) -> Interval:
    """Find how far the differences of the scores must shrink or stretch before the observed spread becomes rare.

    `noise` (draws × systems) is added to the scores. If the observed spread is not rare even without any true
    difference, the lower end is 0.
    """
    value = measure_spread(scores, spread)
    noise = noise[np.isfinite(noise).all(axis=1)]
    if not len(noise) or not math.isfinite(value):
        return skip_interval(value)
    middle, sign, tail = float(scores.mean()), math.copysign(1.0, value), (1 - confidence) / 2
    pattern = scores - middle if np.ptp(scores) > 0 else np.linspace(-1.0, 1.0, len(scores))
    means = noise.mean(axis=1)
    variance, noise_variances = float(pattern.var(ddof=1)), noise.var(axis=1, ddof=1)
    covariances = (noise - means[:, None]) @ pattern / (len(pattern) - 1)

    def spread_with_noise(stretch: float) -> Array:
        # The moments of middle + stretch · pattern + noise, whose pattern has mean 0.
        variances = stretch**2 * variance + 2 * stretch * covariances + noise_variances
        return np.asarray(sign * spread(np.sqrt(np.maximum(variances, 0.0)), middle + means))

    def spread_without_noise(stretch: float) -> float:
        return float(spread(stretch * math.sqrt(variance), middle))

    slack = 1e-9 * max(1.0, abs(value))
    low = _find_root(lambda stretch: float(np.mean(spread_with_noise(stretch) >= sign * value - slack)) - tail, 1.0)
    high = _find_root(
        lambda stretch: tail - float(np.mean(spread_with_noise(stretch) <= sign * value + slack)),
        1.0 + 20.0 * float(noise.std()) / float(pattern.std()),
    )
    ends = sorted([spread_without_noise(low), max(spread_without_noise(high), value, key=abs)])
    return Interval(value, ends[0], ends[1], confidence, method)


def measure_spread(scores: Array, spread: Spread) -> float:
    """Return the spread of scores; nan for fewer than two."""
    return float(spread(scores.std(ddof=1), scores.mean())) if len(scores) > 1 else math.nan


def _find_root(rising: Callable[[float], float], upper: float) -> float:
    """Find where a rising function crosses 0 between 0 and `upper`; the nearer end if it does not."""
    if rising(0.0) >= 0:
        return 0.0
    low, high = 0.0, upper
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) >= 0 else (middle, high)
    return high
