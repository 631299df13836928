"""Draw items, or whole groups of items, with replacement: one weight matrix serves all systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError

_BLOCK = 2_000_000  # weights held at a time; it depends on nothing else, so that the draws never do


def bootstrap_weights(n_items: int, n_resamples: int, random_state: Any = 0, groups: Any = None) -> Array:
    """Return how often each resample draws each item, an (n_resamples, n_items) array of counts.

    With groups, whole groups are drawn, as many as there are (the cluster bootstrap).

    >>> bootstrap_weights(4, 2).sum(axis=1).tolist()
    [4, 4]
    """
    if groups is None:
        return np.concatenate(list(weight_blocks(n_items, n_resamples, random_state)))
    codes, n_groups = group_codes(groups)
    return np.concatenate([block[:, codes] for block in weight_blocks(n_groups, n_resamples, random_state)])


def bootstrap_sums(statistics: Any, n_resamples: int = 1000, random_state: Any = 0, groups: Any = None) -> Array:
    """Return the sums of per-item statistics in every resample, an (n_resamples, n_statistics) array.

    The weights are those of `bootstrap_weights` with the same seed, made and multiplied in blocks.

    >>> bootstrap_sums([[1.0], [1.0]], n_resamples=3).ravel().tolist()
    [2.0, 2.0, 2.0]
    """
    table = np.asarray(statistics)
    table = table[:, None] if table.ndim == 1 else table
    if groups is not None:
        table = group_sums(table, groups)
    exact = np.float32 if _fits_float32(table) else np.float64
    table = np.ascontiguousarray(table, dtype=exact)
    parts = [block.astype(exact) @ table for block in weight_blocks(len(table), n_resamples, random_state)]
    return np.concatenate(parts).astype(np.float64)


def group_codes(groups: Any) -> tuple[Array, int]:
    """Number the groups in the order of their names, so that the order of rows does not matter."""
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    return codes, len(names)


def group_sums(table: Array, groups: Any) -> Array:
    """Add up the rows of each group."""
    codes, n_groups = group_codes(groups)
    sums = np.zeros((n_groups, table.shape[1]))
    np.add.at(sums, codes, table)
    return sums


def _fits_float32(table: Array) -> bool:
    # Products of counts are exact in single precision below 2**24, and twice as fast.
    if table.dtype.kind == "f" and not np.array_equal(table, np.rint(table)):
        return False
    return table.size == 0 or float(np.abs(table).max()) * len(table) < 2**24


def weight_blocks(n_items: int, n_resamples: int, random_state: Any) -> Iterator[Array]:
    """Yield the rows of `bootstrap_weights` some at a time."""
    if n_items < 1 or n_resamples < 1:
        raise UsageError(f"A bootstrap of {n_items} items with {n_resamples} resamples; both must be at least 1.")
    generator = np.random.default_rng(random_state)
    rows = max(1, _BLOCK // n_items)
    for start in range(0, n_resamples, rows):
        size = min(rows, n_resamples - start)
        drawn = generator.integers(n_items, size=(size, n_items))
        drawn += np.arange(size)[:, None] * n_items
        yield np.bincount(drawn.ravel(), minlength=size * n_items).reshape(size, n_items)
