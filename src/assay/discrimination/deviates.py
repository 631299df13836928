"""What the scores might also have been: each system's deviation, unit by unit, scaled to standard errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.registry import Registry


def over_items(points: Array, datasets: Array, groups: Any) -> tuple[Array, int]:
    """Items (or whole groups of them) are drawn; the datasets stay as they are, each with the same weight."""
    weights = _item_weights(datasets)
    centred = (points - _dataset_means(points, datasets)) * weights
    if groups is not None:
        codes = np.unique(np.asarray(groups), return_inverse=True)[1]
        sums = np.zeros((len(points), int(codes.max()) + 1))
        np.add.at(sums.T, codes, centred.T)
        centred = sums
    n = centred.shape[1]
    return centred * np.sqrt(n / max(1, n - 1)), n


def over_datasets(points: Array, datasets: Array, groups: Any) -> tuple[Array, int]:  # noqa: ARG001
    """Datasets are drawn, with all their items: the spread between datasets holds that of the items too."""
    means = dataset_table(points, datasets)
    n = means.shape[1]
    centred = means - means.mean(axis=1, keepdims=True)
    return centred / np.sqrt(n * max(1, n - 1)), n


def over_both(points: Array, datasets: Array, groups: Any) -> tuple[Array, int]:
    """Datasets are drawn and then items within each, as in a two-stage bootstrap: a little wide."""
    between, n = over_datasets(points, datasets, groups)
    within, _ = over_items(points, datasets, groups)
    return np.concatenate([between, within], axis=1), n


UNITS = Registry("unit", {"items": over_items, "datasets": over_datasets, "both": over_both})


def deviates(points: Array, over: str, datasets: Any, groups: Any) -> tuple[Array, Array, int]:
    """Return scores, scaled deviations (their product with its transpose is the covariance) and the units."""
    codes = np.zeros(points.shape[1], dtype=np.int64)
    if datasets is not None:
        codes = np.unique(np.asarray(datasets), return_inverse=True)[1]
        if len(codes) != points.shape[1]:
            raise UsageError(f"{len(codes)} dataset names for {points.shape[1]} items; one an item is needed.")
    scores = dataset_table(points, codes).mean(axis=1)
    spread, n = UNITS[over](points, codes, groups)
    return scores, spread, n


def dataset_table(points: Array, codes: Array) -> Array:
    """Return the mean of every dataset's items, systems × datasets."""
    sums = np.zeros((int(codes.max()) + 1, len(points)))
    np.add.at(sums, codes, points.T)
    return (sums / np.bincount(codes)[:, None]).T


def _dataset_means(points: Array, codes: Array) -> Array:
    return dataset_table(points, codes)[:, codes]


def _item_weights(codes: Array) -> Array:
    sizes = np.bincount(codes)
    return np.asarray(1.0 / (len(sizes) * sizes[codes]))
