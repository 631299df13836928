"""The interval of λ_hit over items: all values it takes inside the joint confidence region of the scores.

Percentile and BCa intervals of λ_hit cover only 70–90%: it is a probability at an estimated distance, so every
resample has a bias of its own. The region of all paired differences, simultaneous by the largest t, has its level,
and so have the values of λ_hit inside it.
"""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

MAX_CELLS = 4_000_000


def compute_hit_interval(
    value: float, scores: Array, resampled: Array, lattice: float = 0.0, spread: float = 1.0, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the ends of the interval of a hit rate `value` of systems with these scores.

    `resampled` (resamples × systems) are their scores on bootstrapped items, `lattice` the smallest step of a
    difference (1/n for accuracy, which can tie), `spread` the error on a hit-rate resample in bootstrap errors.
    """
    first, second = np.triu_indices(len(scores), 1)
    drawn = resampled[np.isfinite(resampled).all(axis=1)][: max(200, MAX_CELLS // len(first))]
    if len(drawn) < 2 or not np.isfinite(scores).all():
        return math.nan, math.nan
    gaps, drawn_gaps = scores[first] - scores[second], drawn[:, first] - drawn[:, second]
    errors = np.sqrt(((drawn_gaps - gaps) ** 2).mean(axis=0))
    largest = _divide(np.abs(drawn_gaps - gaps), errors).max(axis=1)
    critical = float(np.quantile(largest, confidence))
    inside = np.concatenate([drawn_gaps[largest <= critical], _scale_gaps(gaps, errors, critical)])
    values = _approximate_hit_rates(inside, errors * spread, lattice)
    slack = abs(value - float(_approximate_hit_rates(gaps[None], errors * spread, lattice)[0]))
    low, high = min(float(values.min()) - slack, value), max(float(values.max()) + slack, value)
    return max(0.0, low), min(1.0, high)


def _approximate_hit_rates(gaps: Array, errors: Array, lattice: float) -> Array:
    """Return the mean probability that the better of each pair wins, by the normal law; ties cost half a step."""
    from scipy.special import ndtr

    without_error = np.where(np.abs(gaps) > 0, 1.0, 0.0)
    wins = np.where(errors > 0, ndtr(_divide(np.abs(gaps) - lattice / 2, errors)), without_error)
    return np.asarray(wins.mean(axis=1))


def _scale_gaps(gaps: Array, errors: Array, critical: float) -> Array:
    """Shrink and stretch all gaps as far as the region allows: corners that random draws hardly reach."""
    largest = float(_divide(np.abs(gaps), errors).max())
    share = critical / largest if largest > 0 else 1.0
    return np.stack([gaps * max(0.0, 1 - share), gaps * (1 + share)])


def _divide(above: Array, below: Array) -> Array:
    shape = np.broadcast_shapes(above.shape, below.shape)
    quotient: Array = np.divide(above, below, out=np.zeros(shape), where=np.broadcast_to(below > 0, shape))
    return quotient
