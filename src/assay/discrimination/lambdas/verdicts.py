"""Whether a dataset tells its systems apart, and on which side of the reference values of Xiao et al. (2022) λ is.

The verdict is a test of equal systems: could scores that differ as much as these come from systems of one true score,
by the choice of the items? The reference values 3 (λ_var) and 28 (λ_sva) come from one paper. They say how far apart
scores are, not whether more than chance sets them apart: with few items noise alone exceeds them, and with many items a
difference far below them is real.
"""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

MIN_LAMBDA_VAR, MIN_LAMBDA_SVA = 3.0, 28.0
DISCRIMINATES, DOES_NOT_DISCRIMINATE, CANNOT_TELL = "discriminates", "does not discriminate", "cannot tell"
ABOVE, BELOW = "above", "below"
ALPHA = 0.05


def compare_with_reference(value: float, low: float, high: float, reference: float) -> str:
    """Say on which side of its reference value a λ is; open if the interval contains it.

    Without an interval the value alone decides: a point estimate.

    >>> compare_with_reference(3.2, 2.8, 3.6, 3.0), compare_with_reference(3.2, 3.1, 3.6, 3.0)
    ('cannot tell', 'above')
    >>> compare_with_reference(2.0, math.nan, math.nan, 3.0)
    'below'
    """
    if not math.isfinite(value):
        return CANNOT_TELL
    if not (math.isfinite(low) and math.isfinite(high)):
        return ABOVE if value >= reference else BELOW
    return ABOVE if low >= reference else BELOW if high < reference else CANNOT_TELL


def compute_equality_p(scores: Array, noise: Array) -> float:
    """Return how often noise alone spreads the scores of equal systems as far as the observed ones.

    `noise` (draws × systems) are the errors of the scores on resampled items; nan for fewer than two systems.

    >>> compute_equality_p(np.array([1.0, 2.0, 9.0]), np.zeros((99, 3)))
    0.01
    """
    noise = noise[np.isfinite(noise).all(axis=1)]
    if len(scores) < 2 or not len(noise) or not np.isfinite(scores).all():
        return math.nan
    observed = float(scores.var(ddof=1))
    slack = 1e-9 * max(1.0, observed)
    n_as_large = int((noise.var(axis=1, ddof=1) >= observed - slack).sum())
    return (1 + n_as_large) / (1 + len(noise))


def judge_dataset(p_equal: float, scores: Array, *, has_items: bool) -> str:
    """Return the verdict from the test of equal systems.

    With the outcomes of items, a p of 0.05 and more means that these items do not tell these systems apart. From the
    number of items alone the test is conservative (it takes the systems' errors as independent), so it can show a
    difference and not its absence. Scores without either show nothing, except that equal scores are equal.

    >>> judge_dataset(0.2, np.array([70.0, 72.0]), has_items=True)
    'does not discriminate'
    >>> judge_dataset(0.2, np.array([70.0, 72.0]), has_items=False), judge_dataset(math.nan, np.ones(2), has_items=False)
    ('cannot tell', 'does not discriminate')
    """
    if len(scores) < 2:
        return CANNOT_TELL
    if np.ptp(scores) == 0:
        return DOES_NOT_DISCRIMINATE
    if p_equal < ALPHA:
        return DISCRIMINATES
    return DOES_NOT_DISCRIMINATE if has_items and math.isfinite(p_equal) else CANNOT_TELL
