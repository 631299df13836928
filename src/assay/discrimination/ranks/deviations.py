"""The sampling error of the scores: each system's deviation on every sampled unit, scaled to standard errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.registry import Registry

UNITS: Registry[Callable[[Array, Array, Any], tuple[Array, int]]] = Registry("unit")


def compute_deviations(
    points: Array, over: str, datasets: ArrayLike | None, groups: ArrayLike | None
) -> tuple[Array, Array, int]:
    """Return the scores, the scaled deviations (their product with its transpose is the covariance) and their number.

    `points` is systems × items, `over` the unit that is sampled, `datasets` the dataset of every item.
    """
    codes = code_datasets(datasets, points.shape[1])
    scores = average_datasets(points, codes).mean(axis=1)
    deviations, n_units = UNITS[over](points, codes, groups)
    return scores, deviations, n_units


def code_datasets(datasets: ArrayLike | None, n_items: int) -> Array:
    """Return the number of the dataset of every item; all 0 if there is only one."""
    if datasets is None:
        return np.zeros(n_items, dtype=np.int64)
    codes = np.unique(np.asarray(datasets), return_inverse=True)[1]
    if len(codes) != n_items:
        raise UsageError(f"have {len(codes)} names for {n_items} items; one per item is needed.", option="datasets")
    return codes


@UNITS.add("items")
def sample_items(points: Array, codes: Array, groups: ArrayLike | None) -> tuple[Array, int]:
    """Sample items (or whole groups of them); the datasets are fixed, each with the same weight."""
    sizes = np.bincount(codes)
    weights = 1.0 / (len(sizes) * sizes[codes])
    centred = (points - average_datasets(points, codes)[:, codes]) * weights
    if groups is not None:
        group_codes = np.unique(np.asarray(groups), return_inverse=True)[1]
        sums = np.zeros((len(points), int(group_codes.max()) + 1))
        np.add.at(sums.T, group_codes, centred.T)
        centred = sums
    n = centred.shape[1]
    return centred * np.sqrt(n / max(1, n - 1)), n


@UNITS.add("datasets")
def sample_datasets(points: Array, codes: Array, groups: ArrayLike | None) -> tuple[Array, int]:  # noqa: ARG001, one signature
    """Sample datasets with all their items: the variance between datasets includes that of the items."""
    means = average_datasets(points, codes)
    n = means.shape[1]
    centred = means - means.mean(axis=1, keepdims=True)
    return centred / np.sqrt(n * max(1, n - 1)), n


@UNITS.add("both")
def sample_both(points: Array, codes: Array, groups: ArrayLike | None) -> tuple[Array, int]:
    """Sample datasets and then items within each, as in a two-stage bootstrap: slightly conservative."""
    between, n = sample_datasets(points, codes, groups)
    within, _ = sample_items(points, codes, groups)
    return np.concatenate([between, within], axis=1), n


def average_datasets(points: Array, codes: Array) -> Array:
    """Return the mean over the items of every dataset, systems × datasets."""
    sums = np.zeros((int(codes.max()) + 1, len(points)))
    np.add.at(sums, codes, points.T)
    return (sums / np.bincount(codes)[:, None]).T


def average_own(points: Array, codes: Array) -> tuple[Array, Array]:
    """Return the score of every system on the items that it has, each dataset with the same weight, and its error."""
    if len(np.unique(codes)) == len(codes):
        codes = np.zeros_like(codes)
    names = np.unique(codes)
    means, variances = np.full((2, len(points), len(names)), np.nan)
    for place, code in enumerate(names):
        part = points[:, codes == code]
        present = np.isfinite(part)
        n = present.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            means[:, place] = np.where(present, part, 0.0).sum(axis=1) / n
            squares = (np.where(present, part - means[:, place][:, None], 0.0) ** 2).sum(axis=1)
            variances[:, place] = np.where(n > 1, squares / (n - 1) / n, np.nan)
    n_datasets = np.isfinite(means).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nansum(means, axis=1) / n_datasets, np.sqrt(np.nansum(variances, axis=1)) / n_datasets
