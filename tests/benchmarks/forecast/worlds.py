"""Families of sub-datasets with a known law, for tests of the forecast's intervals."""

from __future__ import annotations

import numpy as np


def draw_world(n_families=30, n=40, seed=0):
    """λ of families that each lie off by an amount of their own."""
    rng = np.random.default_rng(seed)
    families = np.repeat(np.arange(n_families), n)
    X = rng.normal(size=(n_families * n, 1))
    logs = 2 + 0.5 * X[:, 0] + rng.normal(0, 0.4, n_families)[families] + rng.normal(0, 0.2, len(families))
    return X, np.expm1(np.maximum(logs, 0)), families


def predict_by_slope(X, y, others):
    slope, start = np.polyfit(X[:, 0], np.log1p(y), 1)
    return np.expm1(start + slope * others[:, 0])
