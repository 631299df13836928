"""Bootstrap sums by way of distinct rows: items with the same statistics are drawn together."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.statistics.bootstrap import bootstrap_sums


def distinct_rows(table: Any) -> tuple[Array, Array]:
    """Return the distinct rows of a table, in an order that does not depend on that of the rows, and their counts.

    >>> rows, counts = distinct_rows(np.array([[0, 1], [1, 0], [0, 1]]))
    >>> rows[counts == 2].tolist()
    [[0, 1]]
    """
    given = np.asarray(table)
    # One number stands for a row: sorting numbers is many times faster than sorting rows.
    keys = given @ np.random.default_rng(20).random(given.shape[1])
    _, first, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    rows = given[first]
    if np.array_equal(rows[inverse], given):
        return rows, counts
    return np.unique(given, axis=0, return_counts=True)


def distinct_sums(rows: Any, counts: Any = None, n_resamples: int = 1000, random_state: Any = 0) -> Array:
    """Return the sums of per-item statistics in resamples, as `bootstrap_sums` does, without drawing every item.

    `counts` says how many items have each row; without it the rows are those of single items. How often a
    resample draws each distinct row is multinomial: the same distribution, at a cost that grows with the
    distinct rows and not with the items. Where nearly all rows differ, items are drawn after all.

    >>> distinct_sums([[1.0], [1.0]], n_resamples=3).ravel().tolist()
    [2.0, 2.0, 2.0]
    """
    table = np.asarray(rows)
    if counts is None:
        table, counts = distinct_rows(table) if len(table) else (table, [])
    often = np.asarray(counts, dtype=np.int64)
    n_items = int(often.sum())
    if len(table) * 8 > n_items:
        return bootstrap_sums(np.repeat(table, often, axis=0), n_resamples, random_state)
    drawn = np.random.default_rng(random_state).multinomial(n_items, often / n_items, size=n_resamples)
    return drawn @ table.astype(np.float64)
