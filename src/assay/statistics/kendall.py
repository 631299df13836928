"""Kendall's rank correlation with p and interval."""

from __future__ import annotations

import math
from typing import Any

from assay.statistics.spearman import Correlation, correlated


def kendall(x: Any, y: Any, confidence: float = 0.95) -> Correlation:
    """Correlate by concordant pairs (tau-b, which allows for ties); pairs with nan are left out.

    p exact without ties and few pairs, else by the normal approximation; the interval on Fisher's
    scale with the variance 0.437 / (n − 4) of Fieller, Hartley and Pearson (1957), from five pairs on.

    >>> round(kendall([1, 2, 3, 4], [1, 2, 4, 3]).value, 3)
    0.667
    """
    from scipy.stats import kendalltau

    return correlated(x, y, kendalltau, "kendall", lambda _, n: 0.437 / (n - 4) if n > 4 else math.nan, confidence)
