"""The thresholds of Xiao et al. (2022) as verdicts."""

from __future__ import annotations

import math

MIN_LAMBDA_VAR, MIN_LAMBDA_SVA = 3.0, 28.0
DISCRIMINATES, DOES_NOT_DISCRIMINATE, CANNOT_TELL = "discriminates", "does not discriminate", "cannot tell"


def judge_lambda(value: float, low: float, high: float, threshold: float) -> str:
    """Compare a λ with its threshold; the verdict is open where the interval contains the threshold.

    Without an interval the value alone decides: a point estimate.

    >>> judge_lambda(3.2, 2.8, 3.6, 3.0), judge_lambda(3.2, 3.1, 3.6, 3.0), judge_lambda(2.0, math.nan, math.nan, 3.0)
    ('cannot tell', 'discriminates', 'does not discriminate')
    """
    if not math.isfinite(value):
        return CANNOT_TELL
    if not (math.isfinite(low) and math.isfinite(high)):
        return DISCRIMINATES if value >= threshold else DOES_NOT_DISCRIMINATE
    return DISCRIMINATES if low >= threshold else DOES_NOT_DISCRIMINATE if high < threshold else CANNOT_TELL


def combine_verdicts(var: str, sva: str, has_sva: bool) -> str:
    """Combine the verdicts of λ_var and λ_sva: open where they differ; without λ_sva, λ_var decides.

    >>> combine_verdicts("discriminates", "does not discriminate", True)
    'cannot tell'
    """
    return var if not has_sva or var == sva else CANNOT_TELL
