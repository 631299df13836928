"""Differences of all pairs of systems, each on the items or datasets that both have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array

MIN_SHARED_ITEMS = 10
MIN_SHARED_DATASETS = 4


@dataclass(frozen=True)
class PairTable:
    """Systems × systems: the difference of the row to the column, its standard error, and the units they share.

    The difference is nan for pairs without a shared unit, the error with fewer than two of them. `n_items` counts the
    cells that both have.
    """

    gaps: Array
    errors: Array
    n_units: Array
    n_items: Array


def compare_on_shared(
    table: Array, codes: Array, over: str, groups: ArrayLike | None = None, variances: Array | None = None
) -> PairTable:
    """Compare all pairs of systems (systems × items, nan = missing), every dataset with the same weight.

    `codes` is the dataset of every item, `over` the sampled unit. `variances` belong to the single scores, if
    every item is a dataset; the errors of two systems on a dataset count as unrelated.
    """
    if over == "datasets" and len(np.unique(codes)) == len(codes):
        codes, over = np.zeros_like(codes), "items"  # every score is a unit
    n = len(table)
    n_datasets, total, squares, within, n_items = (np.zeros((n, n)) for _ in range(5))
    labels = None if groups is None else np.asarray(groups)
    for code in np.unique(codes):
        columns = codes == code
        block = _compare_block(table[:, columns], None if labels is None else labels[columns])
        known = block.n_units > 0
        n_datasets += known
        n_items += block.n_items
        total += np.where(known, block.gaps, 0.0)
        squares += np.where(known, block.gaps, 0.0) ** 2
        within += np.nan_to_num(block.errors**2)
        n_units = block.n_units
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = total / n_datasets
        between = np.maximum(squares - n_datasets * gaps**2, 0.0) / (n_datasets - 1) / n_datasets
        variance = {"items": within / n_datasets**2, "datasets": between, "both": between + within / n_datasets**2}[
            over
        ]
        if variances is not None:
            present = np.isfinite(table).astype(float)
            added = np.where(present > 0, variances, 0.0) @ present.T
            variance = variance + (added + added.T) / n_items**2
    units = n_datasets if over != "items" else n_units if len(np.unique(codes)) == 1 else n_items
    return PairTable(gaps, np.where(units > 1, np.sqrt(variance), np.nan), units, n_items)


def _compare_block(table: Array, groups: Array | None) -> PairTable:
    """Compare pairs on the items of one dataset."""
    present = np.isfinite(table).astype(float)
    counts = np.maximum(present.sum(axis=0), 1)
    values = np.where(present > 0, table, 0.0)
    values = np.where(present > 0, values - values.sum(axis=0) / counts, 0.0)  # items differ more than systems
    n_items = present @ present.T
    sums = values @ present.T
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = (sums - sums.T) / n_items
        if groups is None:
            square = values**2 @ present.T
            spread = square + square.T - 2 * values @ values.T - n_items * gaps**2
            n_units = n_items
        else:
            spread, n_units = _sum_groups(values, present, groups, np.nan_to_num(gaps))
        variance = np.maximum(spread, 0.0) * n_units / (n_units - 1) / n_items**2
    largest = float(np.abs(values).max(initial=0.0))
    errors = np.where(n_units > 1, np.sqrt(variance), np.nan)
    errors[errors < 1e-7 * largest] = 0.0  # what cancellation leaves of equal differences
    return PairTable(gaps, errors, n_units, n_items)


def _sum_groups(values: Array, present: Array, groups: Array, gaps: Array) -> tuple[Array, Array]:
    """Return the squared sums of deviations over groups, and the number of groups that both systems have."""
    spread, n_units = np.zeros_like(gaps), np.zeros_like(gaps)
    for group in np.unique(groups):
        columns = groups == group
        sums, n_items = values[:, columns] @ present[:, columns].T, present[:, columns] @ present[:, columns].T
        spread += (sums - sums.T - gaps * n_items) ** 2
        n_units += n_items > 0
    return spread, n_units


def choose_comparable(n_shared: Array, n_needed: int) -> Array:
    """Return which systems share enough units with at least half of the others that do, those with most first.

    >>> choose_comparable(np.array([[9, 9, 1], [9, 9, 0], [1, 0, 9]]), 5).tolist()
    [True, True, False]
    """
    kept = np.ones(len(n_shared), dtype=bool)
    enough = n_shared >= n_needed
    np.fill_diagonal(enough, val=False)
    while kept.sum() > 1:
        n_rivals = (enough & kept).sum(axis=1)
        weakest = np.where(kept, n_rivals, len(kept)).min()
        if 2 * weakest >= kept.sum() - 1:
            break
        worst = np.flatnonzero(kept & (n_rivals == weakest))
        kept[worst[np.argmin(n_shared[worst].sum(axis=1))]] = False
    return kept


def count_needed(over: str, codes: Array) -> int:
    """Return how many units two systems must share to be compared directly: ten items or four datasets, at most half.

    >>> count_needed("items", np.zeros(200)), count_needed("datasets", np.arange(3))
    (10, 2)
    """
    n_units, largest = (
        (len(codes), MIN_SHARED_ITEMS) if over == "items" else (len(np.unique(codes)), MIN_SHARED_DATASETS)
    )
    return max(1, min(largest, (n_units + 1) // 2))


def fit_strengths(pairs: PairTable) -> Array:
    """Return one number per system whose differences fit those of the pairs, by least squares weighted by units."""
    weights = np.where(np.isfinite(pairs.gaps), pairs.n_units, 0.0)
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    return np.asarray(np.linalg.pinv(laplacian, hermitian=True) @ (weights * np.nan_to_num(pairs.gaps)).sum(axis=1))


def order_pairs(pairs: PairTable, n_needed: int) -> tuple[Array, Array]:
    """Return the rank of every system, and which of two systems is ahead: the better one on the units they share.

    A rank is one plus the number of systems that are ahead. Two systems that share fewer units than needed are
    compared through the others, by `fit_strengths`.
    """
    strengths = fit_strengths(pairs)
    indirect = np.round(strengths[:, None] - strengths[None, :], 9)
    ahead = np.where(pairs.n_units >= n_needed, np.round(np.nan_to_num(pairs.gaps), 9), indirect) > 0
    np.fill_diagonal(ahead, val=False)
    return 1 + ahead.sum(axis=0), strengths
