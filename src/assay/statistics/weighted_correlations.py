"""Correlations of resamples: items drawn more than once have weights, and nothing is copied."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array

MAX_PAIRED_VALUES = 20_000  # of which all pairs are compared
_BLOCK = 4_000_000  # weights at a time


def weighted_pearson(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> Array:
    """Return Pearson's correlation for every row of weights, nan if it is undefined.

    >>> weighted_pearson([1, 2, 3, 9], [1, 2, 4, 0], [[1, 1, 1, 0], [1, 1, 2, 0]]).round(3).tolist()
    [0.982, 0.986]
    """
    first, second, table = (np.asarray(values, dtype=float) for values in (x, y, weights))
    return _correlate_rows(first[None, :], second[None, :], table)


def weighted_spearman(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> Array:
    """Return Spearman's correlation for every row of weights: values are ranked within the resample.

    >>> weighted_spearman([1, 2, 3, 9], [1, 2, 4, 0], [[1, 1, 1, 0], [1, 1, 1, 1]]).round(3).tolist()
    [1.0, -0.2]
    """
    table = np.asarray(weights, dtype=float)
    size = max(1, _BLOCK // max(1, table.shape[1]))
    parts = []
    for start in range(0, len(table), size):
        block = table[start : start + size]
        parts.append(_correlate_rows(_rank_rows(np.asarray(x), block), _rank_rows(np.asarray(y), block), block))
    return np.concatenate(parts) if parts else np.empty(0)


def weighted_kendall(x: ArrayLike, y: ArrayLike, clusters: object, weights: ArrayLike | None) -> Array:
    """Return Kendall's tau-b for every row of weights, which belong to clusters of values (numbers from 0).

    All pairs are compared once, and added up by cluster: at most `MAX_PAIRED_VALUES` values.

    >>> weighted_kendall([1, 2, 3, 9], [1, 2, 4, 0], [0, 1, 2, 3], [[1, 1, 1, 0], [1, 1, 1, 1]]).tolist()
    [1.0, 0.0]
    """
    from assay.statistics._kernels import sum_concordance

    codes, table = np.asarray(clusters, dtype=np.int64), np.asarray(weights, dtype=float)
    first, second = (np.unique(np.asarray(values), return_inverse=True)[1] for values in (x, y))
    concordance = sum_concordance(first, second, codes, table.shape[1])
    above = np.einsum("ri,ri->r", table @ concordance, table)
    single = table[:, codes]
    total = single.sum(axis=1) ** 2
    untied = [total - (_sum_by_value(values, single) ** 2).sum(axis=1) for values in (first, second)]
    below = np.sqrt(np.maximum(untied[0], 0) * np.maximum(untied[1], 0))
    return np.divide(above, below, out=np.full(len(table), np.nan), where=below > 0)


def correlate_rows(x: ArrayLike, y: ArrayLike, method: str) -> Array:
    """Return the correlation of each row of `x` with the same row of `y`: spearman, kendall or pearson.

    >>> correlate_rows([[1, 2, 3], [1, 2, 3]], [[1, 2, 4], [3, 2, 2]], "spearman").round(3).tolist()
    [1.0, -0.866]
    """
    from scipy.stats import rankdata

    first, second = np.atleast_2d(np.asarray(x, dtype=float)), np.atleast_2d(np.asarray(y, dtype=float))
    if method == "kendall":
        i, j = np.triu_indices(first.shape[1], 1)
        signs = [np.sign(table[:, i] - table[:, j]) for table in (first, second)]
        below = np.sqrt(np.abs(signs[0]).sum(axis=1) * np.abs(signs[1]).sum(axis=1))
        above = (signs[0] * signs[1]).sum(axis=1)
        return np.divide(above, below, out=np.full(len(first), np.nan), where=below > 0)
    if method == "spearman":
        first, second = rankdata(first, axis=1), rankdata(second, axis=1)
    return _correlate_rows(first, second, np.ones((1, first.shape[1])))


def _correlate_rows(x: Array, y: Array, weights: Array) -> Array:
    total = np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
    first, second = (table - (weights * table).sum(axis=1, keepdims=True) / total for table in (x, y))
    scales = [np.sqrt((weights * table**2).sum(axis=1)) for table in (first, second)]
    sizes = [np.abs(table).max(axis=1) for table in (x, y)]
    small = (scales[0] <= 1e-12 * sizes[0]) | (scales[1] <= 1e-12 * sizes[1])  # constant but for rounding
    below = np.where(small, 0.0, scales[0] * scales[1])
    above = (weights * first * second).sum(axis=1)
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)


def _rank_rows(values: Array, weights: Array) -> Array:
    """Return the mean rank of every value among the values drawn, for every row of weights."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(counts, axis=1) - counts / 2
    places = np.empty(len(values), dtype=np.int64)
    places[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(values))))
    return ranks[:, places]


def _sum_by_value(values: Array, weights: Array) -> Array:
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(values[order]) != 0]))
    return np.add.reduceat(weights[:, order], starts, axis=1)
