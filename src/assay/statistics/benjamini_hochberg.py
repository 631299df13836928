"""The false discovery rate of many tests (Benjamini and Hochberg 1995)."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array


def benjamini_hochberg(p_values: Any) -> Array:
    """Adjust p values so that the share of false ones among the rejections stays below the level.

    Undefined (nan) values stay nan and do not count as tests.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    p = np.asarray(p_values, dtype=float)
    adjusted = np.full(p.shape, np.nan)
    tested = np.isfinite(p)
    if tested.any():
        adjusted[tested] = false_discovery_control(p[tested], method="bh")
    return adjusted
