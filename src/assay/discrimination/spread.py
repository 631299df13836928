"""Intervals of any function of the systems' scores: over items, or from the number of items alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from assay.discrimination.resampling import mean_of, mean_sums
from assay.statistics import Interval, bca, bootstrap_sums

Array = np.ndarray[Any, Any]
Spread = Callable[[Array], Array]
Value = Callable[[Array], Any]
_JACKKNIFED = 5000  # units left out one by one at most, evenly spaced: the skew needs no more

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
    """Bootstrap the items (whole groups where given) under the systems' mean outcomes; BCa.

    `outcomes` is systems × items, `spread` maps rows of scores to one number each.
    """
    return over_sums(
        mean_sums(np.asarray(outcomes, dtype=float)), mean_of, spread, scale, n_resamples, random_state, groups
    )


def over_sums(
    sums: Array, value: Value, spread: Spread, scale: float, n_resamples: int, random_state: int, groups: Any
) -> Interval:
    """Bootstrap the items under any metric that follows from sums (systems × items × sums)."""
    n_systems, n_items, n_sums = sums.shape
    flat = sums.transpose(1, 0, 2).reshape(n_items, n_systems * n_sums)
    units = flat if groups is None else _by_group(flat, groups)

    def spreads(totals: Array) -> Array:
        return spread(scale * np.asarray(value(totals.reshape(-1, n_systems, n_sums))))

    whole = units.sum(axis=0)
    some = units[np.linspace(0, len(units) - 1, min(len(units), _JACKKNIFED)).astype(np.int64)]
    resampled = spreads(bootstrap_sums(flat, n_resamples, random_state, groups))
    return bca(float(spreads(whole[None])[0]), resampled, spreads(whole - some))


def over_binomial(
    scores: Any, n_items: Any, spread: Spread, scale: float = 100.0, n_resamples: int = 1000, random_state: int = 0
) -> Interval:
    """Draw every score anew as a share of `n_items` right answers; bias-corrected percentiles.

    Only approximate: it takes the score for an accuracy and the systems for independent.
    """
    values = np.asarray(scores, dtype=float)
    sizes = np.broadcast_to(np.asarray(n_items, dtype=float), values.shape)
    shares = values / scale
    if not (np.isfinite(sizes).all() and (sizes >= 1).all() and (shares >= 0).all() and (shares <= 1).all()):
        return none(float(spread(values[None])[0]))
    drawn = np.random.default_rng(random_state).binomial(sizes.astype(np.int64), shares, (n_resamples, len(values)))
    found = bca(float(spread(values[None])[0]), spread(drawn / sizes * scale), [])
    return Interval(found.value, found.low, found.high, found.confidence, "binomial")


def _by_group(statistics: Array, groups: Any) -> Array:
    if groups is None:
        return statistics
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.zeros((len(names), statistics.shape[1]))
    np.add.at(sums, codes, statistics)
    return sums
