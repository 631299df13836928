"""A share measured with errors, corrected by what is known of the errors."""

from __future__ import annotations

import math

from assay.base.errors import UsageError
from assay.statistics.interval import Interval, normal_quantile

MIN_YOUDEN = 0.05  # sensitivity + specificity − 1 below which a measurement says next to nothing


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
    observed as such, and likewise for negatives. The interval is that of Lang and Reiczigel (2014), which counts the
    errors of all three shares. Undefined (nan) where the observation is hardly better than chance.

    >>> interval = rogan_gladen(60, 100, 45, 50, 40, 50)
    >>> round(interval.value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.571, 0.396, 0.743)
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
    # Adjusted shares keep the error positive at 0 and 1.
    size = n + z * z
    share = (positives + z * z / 2) / size
    hits, spared = (true_positives + 1) / (n_positive + 2), (true_negatives + 1) / (n_negative + 2)
    gain = hits + spared - 1
    if gain <= 0:
        return undefined
    middle = (share + spared - 1) / gain
    hits_error = hits * (1 - hits) / (n_positive + 2)
    spared_error = spared * (1 - spared) / (n_negative + 2)
    shift = 2 * z * z * (middle * hits_error - (1 - middle) * spared_error)
    variance = share * (1 - share) / size + middle**2 * hits_error + (1 - middle) ** 2 * spared_error
    half = z * math.sqrt(variance) / gain
    low, high = (min(max(middle + shift + end, 0.0), 1.0) for end in (-half, half))
    corrected = min(max(value, 0.0), 1.0)
    return Interval(corrected, min(low, corrected), max(high, corrected), confidence, "rogan-gladen")
