"""The thresholds of paper 000 as verdicts."""

from __future__ import annotations

import math

LAMBDA_VAR, LAMBDA_SVA = 3.0, 28.0
YES, NO, OPEN = "discriminates", "does not discriminate", "cannot tell"


def verdict(value: float, low: float, high: float, threshold: float) -> str:
    """Say on which side of the threshold a λ lies; with an interval around the threshold, nobody can tell.

    Without an interval the value alone decides: a point estimate.

    >>> verdict(3.2, 2.8, 3.6, 3.0), verdict(3.2, 3.1, 3.6, 3.0), verdict(2.0, math.nan, math.nan, 3.0)
    ('cannot tell', 'discriminates', 'does not discriminate')
    """
    if not math.isfinite(value):
        return OPEN
    if not (math.isfinite(low) and math.isfinite(high)):
        return YES if value >= threshold else NO
    return YES if low >= threshold else NO if high < threshold else OPEN


def together(var: str, sva: str, has_sva: bool) -> str:
    """Join the verdicts of λ_var and λ_sva: where they differ, nobody can tell; without λ_sva, λ_var decides.

    >>> together(YES, NO, True), together(YES, OPEN, False)
    ('cannot tell', 'discriminates')
    """
    return var if not has_sva or var == sva else OPEN
