"""A share measured with errors, corrected by what is known of the errors."""

from __future__ import annotations

import math

from assay.base.errors import UsageError
from assay.statistics.interval import normal_quantile
from assay.views.values import Interval

MIN_YOUDEN = 0.05  # sensitivity + specificity − 1 below which a measurement says almost nothing


def rogan_gladen(
    positives: float,
    n: float,
    true_positives: float,
    n_positive: float,
    true_negatives: float,
    n_negative: float,
    confidence: float = 0.95,
) -> Interval:
    """Return the true share behind an observed one (Rogan and Gladen 1978), cut at 0 and 1.

    `positives` of `n` were observed; of `n_positive` other items that truly are positive, `true_positives` were
    observed as such, and likewise for negatives. The interval counts the errors of all three shares (Fieller's
    method). Undefined (nan) if the observation is hardly better than chance.

    >>> interval = rogan_gladen(60, 100, 45, 50, 40, 50)
    >>> round(interval.value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.571, 0.392, 0.747)
    """
    if not (0 <= positives <= n and 0 <= true_positives <= n_positive and 0 <= true_negatives <= n_negative):
        raise UsageError("Counts must lie between 0 and the number of items.")
    undefined = Interval(math.nan, math.nan, math.nan, confidence, "rogan-gladen")
    if not n or not n_positive or not n_negative:
        return undefined
    z = normal_quantile(confidence)
    sensitivity, specificity = true_positives / n_positive, true_negatives / n_negative
    if sensitivity + specificity - 1 < MIN_YOUDEN:
        return undefined
    value = (positives / n + specificity - 1) / (sensitivity + specificity - 1)
    # Shares moved towards one half keep the errors positive at 0 and 1.
    size = n + z * z
    share = (positives + z * z / 2) / size
    hits, spared = (true_positives + 1) / (n_positive + 2), (true_negatives + 1) / (n_negative + 2)
    share_error = share * (1 - share) / size
    hits_error = hits * (1 - hits) / (n_positive + 2)
    spared_error = spared * (1 - spared) / (n_negative + 2)
    # A true share p is kept where (excess - p * gain)² ≤ z² (share_error + p² hits_error + (1 - p)² spared_error).
    excess, gain = share + spared - 1, hits + spared - 1
    square = gain**2 - z * z * (hits_error + spared_error)
    linear = excess * gain - z * z * spared_error
    constant = excess**2 - z * z * (share_error + spared_error)
    low, high = 0.0, 1.0
    if square > 0 and gain > 0:  # otherwise the observation is not clearly better than chance: any share is possible
        half = math.sqrt(max(linear**2 - square * constant, 0.0))
        low, high = (min(max((linear + end) / square, 0.0), 1.0) for end in (-half, half))
    corrected = min(max(value, 0.0), 1.0)
    return Interval(corrected, min(low, corrected), max(high, corrected), confidence, "rogan-gladen")
