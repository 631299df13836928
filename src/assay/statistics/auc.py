"""The area under the ROC curve: the probability that one of two random items has the larger value."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.errors import UsageError
from assay.statistics.interval import normal_quantile
from assay.views.results import Result
from assay.views.values import Interval


@dataclass(frozen=True)
class MannWhitney(Result):
    """P(a value of the first sample is larger than one of the second), ties counted half, and the p-value of 1/2."""

    value: float
    low: float
    high: float
    p: float
    n_first: int
    n_second: int


def roc_auc(scores: ArrayLike, positive: object, confidence: float = 0.95) -> Interval:
    """Return the area under the ROC curve of scores for positive and negative items (flags), ties counted half.

    The interval is by Hanley and McNeil (1982). The area is nan without positive or without negative items.

    >>> roc_auc([0.9, 0.8, 0.1, 0.2], [True, True, False, False]).value
    1.0
    """
    from scipy.stats import rankdata

    values, flags = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    if values.shape != flags.shape or values.ndim != 1:
        raise UsageError(f"The lists must be equally long; scores has shape {values.shape}, positive {flags.shape}.")
    n_positive, n_negative = int(flags.sum()), int((~flags).sum())
    if not n_positive or not n_negative:
        return hanley_mcneil(math.nan, n_positive, n_negative, confidence)
    area = float(rankdata(values)[flags].sum()) - n_positive * (n_positive + 1) / 2
    return hanley_mcneil(area / (n_positive * n_negative), n_positive, n_negative, confidence)


def mann_whitney(first: ArrayLike, second: ArrayLike, confidence: float = 0.95) -> MannWhitney:
    """Compare two independent samples: the two-sided test of Mann and Whitney, with the interval of Hanley and McNeil.

    >>> result = mann_whitney([3, 4, 5], [1, 2, 3])
    >>> round(result.value, 3), result.n_first
    (0.944, 3)
    """
    from scipy.stats import mannwhitneyu

    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if not len(a) or not len(b):
        return MannWhitney(math.nan, math.nan, math.nan, math.nan, len(a), len(b))
    test = mannwhitneyu(a, b)
    area = hanley_mcneil(float(test.statistic) / (len(a) * len(b)), len(a), len(b), confidence)
    return MannWhitney(area.value, area.low, area.high, float(test.pvalue), len(a), len(b))


def hanley_mcneil(area: float, n_positive: int, n_negative: int, confidence: float = 0.95) -> Interval:
    """Return the interval of a known area under the ROC curve (Hanley and McNeil 1982), cut at 0 and 1.

    >>> interval = hanley_mcneil(0.8, 50, 50)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.713, 0.887)
    """
    z = _quantile(confidence)
    if math.isnan(area) or n_positive < 1 or n_negative < 1:
        return Interval(area, math.nan, math.nan, confidence, "hanley-mcneil")
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (n_positive - 1) * (q1 - area**2) + (n_negative - 1) * (q2 - area**2)
    half = z * math.sqrt(max(spread, 0.0) / (n_positive * n_negative))
    return Interval(area, max(0.0, area - half), min(1.0, area + half), confidence, "hanley-mcneil")


def _quantile(confidence: float) -> float:
    exact = normal_quantile(confidence)
    return 1.96 if confidence == 0.95 else exact  # the rounded value of published audits
