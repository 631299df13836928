"""The interval of λ_hit over items: all values it takes inside the joint confidence region of the scores.

Percentile and BCa intervals of λ_hit cover 70–90 % only: it is a chance at an estimated distance, so each resample is
biased anew. The region of all paired differences, simultaneous by the largest t, has its level; so has its image.
"""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

_CELLS = 4_000_000


def hit_ends(
    value: float, scores: Array, resampled: Array, lattice: float = 0.0, spread: float = 1.0, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the ends for a hit rate `value` of systems with these scores.

    `resampled` (resamples × systems) are their scores on bootstrapped items, `lattice` the smallest step of a
    difference (1/n for accuracy, which can tie), `spread` the error on a hit-rate resample in bootstrap errors.
    """
    first, second = np.triu_indices(len(scores), 1)
    drawn = resampled[np.isfinite(resampled).all(axis=1)][: max(200, _CELLS // len(first))]
    if len(drawn) < 2 or not np.isfinite(scores).all():
        return math.nan, math.nan
    gaps, found = scores[first] - scores[second], drawn[:, first] - drawn[:, second]
    errors = np.sqrt(((found - gaps) ** 2).mean(axis=0))
    largest = _ratio(np.abs(found - gaps), errors).max(axis=1)
    critical = float(np.quantile(largest, confidence))
    inside = np.concatenate([found[largest <= critical], _shrunk_and_stretched(gaps, errors, critical)])
    values = _rates(inside, errors * spread, lattice)
    slack = abs(value - float(_rates(gaps[None], errors * spread, lattice)[0]))  # of the normal law
    low, high = min(float(values.min()) - slack, value), max(float(values.max()) + slack, value)
    return max(0.0, low), min(1.0, high)


def _rates(gaps: Array, errors: Array, lattice: float) -> Array:
    """Return the mean chance that the better of each pair wins, by the normal law; half a step is lost to ties."""
    from scipy.special import ndtr

    sure = np.where(np.abs(gaps) > 0, 1.0, 0.0)
    chances = np.where(errors > 0, ndtr(_ratio(np.abs(gaps) - lattice / 2, errors)), sure)
    return np.asarray(chances.mean(axis=1))


def _shrunk_and_stretched(gaps: Array, errors: Array, critical: float) -> Array:
    """Move all systems as far together, and apart, as the region allows: corners that draws hardly reach."""
    furthest = float(_ratio(np.abs(gaps), errors).max())
    room = critical / furthest if furthest > 0 else 1.0
    return np.stack([gaps * max(0.0, 1 - room), gaps * (1 + room)])


def _ratio(above: Array, below: Array) -> Array:
    shape = np.broadcast_shapes(above.shape, below.shape)
    quotient: Array = np.divide(above, below, out=np.zeros(shape), where=np.broadcast_to(below > 0, shape))
    return quotient
