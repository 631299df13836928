"""An estimate with its confidence interval."""

from __future__ import annotations

from assay.base.errors import UsageError


def tails(confidence: float) -> tuple[float, float]:
    """Return the lower and upper tail of a two-sided interval.

    >>> [round(tail, 3) for tail in tails(0.95)]
    [0.025, 0.975]
    """
    if not 0 < confidence < 1:
        raise UsageError(f"is {confidence}; it must lie between 0 and 1, such as 0.95", option="confidence")
    return (1 - confidence) / 2, (1 + confidence) / 2


def normal_quantile(confidence: float) -> float:
    """Return how many standard errors a two-sided normal interval reaches to either side.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(tails(confidence)[1]))
