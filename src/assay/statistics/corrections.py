"""Corrections for many tests."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array


def holm(p_values: object) -> Array:
    """Adjust p-values so that the chance of any false rejection stays below the level (Holm 1979).

    Undefined (nan) values stay nan and do not count as tests.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    adjusted = np.full(p.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else []
    return adjusted


def benjamini_hochberg(p_values: object) -> Array:
    """Adjust p-values so that the expected share of false rejections stays below the level (1995).

    Undefined (nan) values stay nan and do not count as tests.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=float)
    adjusted = np.full(p.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = p[order] * (len(order) / np.arange(1, len(order) + 1))
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(steps[::-1])[::-1])
    return adjusted
