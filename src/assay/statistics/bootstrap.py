"""Draw items, or whole groups of items, with replacement: one draw serves all systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array, Seed
from assay.base.errors import UsageError

_BLOCK = 2_000_000  # weights held at a time; it depends on nothing else, so that the draws never do
_RESAMPLES_AT_ONCE = 64  # of `cell_sums`; their counts stay in the fastest cache


def bootstrap_weights(n_items: int, n_resamples: int, random_state: Seed = 0, groups: ArrayLike | None = None) -> Array:
    """Return how often each resample draws each item, an (n_resamples, n_items) array of counts.

    With groups, whole groups are drawn, as many as there are (the cluster bootstrap).

    >>> bootstrap_weights(4, 2).sum(axis=1).tolist()
    [4, 4]
    """
    if groups is None:
        return np.concatenate(list(_draw_blocks(n_items, n_resamples, random_state)))
    codes, n_groups = _number_groups(groups)
    return np.concatenate([block[:, codes] for block in _draw_blocks(n_groups, n_resamples, random_state)])


def bootstrap_sums(
    statistics: ArrayLike, n_resamples: int = 1000, random_state: Seed = 0, groups: ArrayLike | None = None
) -> Array:
    """Return the sums of per-item statistics in every resample, an (n_resamples, n_statistics) array.

    The weights are the same as from `bootstrap_weights` with the same seed, drawn and multiplied in blocks.

    >>> bootstrap_sums([[1.0], [1.0]], n_resamples=3).ravel().tolist()
    [2.0, 2.0, 2.0]
    """
    table = np.asarray(statistics)
    table = table[:, None] if table.ndim == 1 else table
    if groups is not None:
        table = group_sums(table, groups)
    dtype = np.float32 if _fits_float32(table) else np.float64
    table = np.ascontiguousarray(table, dtype=dtype)
    sums = [block.astype(dtype) @ table for block in _draw_blocks(len(table), n_resamples, random_state)]
    return np.concatenate(sums).astype(np.float64)


def distinct_sums(
    rows: ArrayLike, counts: ArrayLike | None = None, n_resamples: int = 1000, random_state: Seed = 0
) -> Array:
    """Return the sums of per-item statistics in resamples, as `bootstrap_sums` does, without drawing every item.

    `counts` says how many items have each row; without it each row is one item. How often a resample draws a distinct
    row is multinomial: the same distribution, at a cost that grows with the distinct rows and not with the items.
    If nearly all rows differ, items are drawn one by one.

    >>> distinct_sums([[1.0], [1.0]], n_resamples=3).ravel().tolist()
    [2.0, 2.0, 2.0]
    """
    table = np.asarray(rows)
    if counts is None:
        table, counts = distinct_rows(table) if len(table) else (table, np.zeros(0, np.int64))
    sizes = np.asarray(counts, dtype=np.int64)
    n_items = int(sizes.sum())
    if len(table) * 8 > n_items:
        return bootstrap_sums(np.repeat(table, sizes, axis=0), n_resamples, random_state)
    weights = np.random.default_rng(random_state).multinomial(n_items, sizes / n_items, size=n_resamples)
    return weights @ table.astype(np.float64)


def distinct_rows(table: ArrayLike) -> tuple[Array, Array]:
    """Return the distinct rows of a table, in an order that does not depend on that of the rows, and their counts.

    >>> rows, counts = distinct_rows(np.array([[0, 1], [1, 0], [0, 1]]))
    >>> rows[counts == 2].tolist()
    [[0, 1]]
    """
    values = np.asarray(table)
    # One number per row as its key: sorting numbers is many times faster than sorting rows.
    keys = values @ np.random.default_rng(20).random(values.shape[1])
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    rows = values[first]
    if np.array_equal(rows[inverse], values):
        return rows, counts
    return np.unique(values, axis=0, return_counts=True)


def cell_sums(systems: Sequence[tuple[Array, Array]], n_resamples: int = 1000, random_state: int = 0) -> list[Array]:
    """Return, for each system, the sums of its statistics in every resample, an (n_resamples, n_statistics) array.

    A system is the cell of each item (−1 if the item does not count) and the statistics of each cell. The draws are
    those of `bootstrap_weights` with the same seed, whatever the number of cells.

    >>> cells, statistics = np.array([0, 1, 1]), np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> cell_sums([(cells, statistics)], n_resamples=2)[0].sum(axis=1).tolist()
    [3.0, 3.0]
    """
    from scipy.sparse import csr_array

    from assay.statistics._kernels import cell_counts

    tables = [csr_array(table.T.astype(np.float64)) for _, table in systems]  # most statistics of a cell are 0
    codes = [cells.astype(np.int32) for cells, _ in systems]
    sums: list[list[Array]] = [[] for _ in systems]
    for weights in _draw_blocks(len(codes[0]), n_resamples, random_state) if systems else ():
        dtype = np.uint8 if weights.max() < 256 else np.uint32
        for start in range(0, len(weights), _RESAMPLES_AT_ONCE):
            block = np.ascontiguousarray(weights[start : start + _RESAMPLES_AT_ONCE].T, dtype=dtype)
            for number, table in enumerate(tables):
                counts = cell_counts(block, codes[number], table.shape[1])
                sums[number].append((table @ counts).T)
    return [np.concatenate(blocks) for blocks in sums]


def group_sums(table: Array, groups: ArrayLike | None) -> Array:
    """Add up the rows of each group, the groups in the order of their names.

    >>> group_sums(np.array([[1.0], [2.0], [4.0]]), ["b", "a", "b"]).tolist()
    [[2.0], [5.0]]
    """
    codes, n_groups = _number_groups(groups)
    sums = np.zeros((n_groups, table.shape[1]))
    np.add.at(sums, codes, table)
    return sums


def _number_groups(groups: ArrayLike | None) -> tuple[Array, int]:
    """Number the groups in the order of their names, so that the order of rows does not matter."""
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    return codes, len(names)


def _fits_float32(table: Array) -> bool:
    # Products of counts are exact in single precision below 2**24, and twice as fast.
    if table.dtype.kind == "f" and not np.array_equal(table, np.rint(table)):
        return False
    return table.size == 0 or float(np.abs(table).max()) * len(table) < 2**24


def _draw_blocks(n_items: int, n_resamples: int, random_state: Seed) -> Iterator[Array]:
    """Yield the rows of `bootstrap_weights`, some at a time."""
    if n_items < 1 or n_resamples < 1:
        raise UsageError(f"A bootstrap needs items and resamples; there are {n_items} and {n_resamples}.")
    generator = np.random.default_rng(random_state)
    rows = max(1, _BLOCK // n_items)
    for start in range(0, n_resamples, rows):
        size = min(rows, n_resamples - start)
        drawn = generator.integers(n_items, size=(size, n_items))
        drawn += np.arange(size)[:, None] * n_items
        yield np.bincount(drawn.ravel(), minlength=size * n_items).reshape(size, n_items)
