"""Orders in which columns (datasets or items) join a subset."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.subsets.pair_agreement import Pairs, compute_tau

_MARGIN = 1e-6  # far above rounding, far below any difference that matters

ColumnOrder = Callable[[Array, Pairs], Array]


def order_greedily(columns: Array, pairs: Pairs) -> Array:
    """Add columns one by one, each time the one that brings the ranking by the sum closest to that by all columns.

    A pair whose difference no remaining column can turn round has a known sign and is not compared again, so that the
    work grows only slightly faster than the number of columns.
    """
    from assay.discrimination.subsets.sign_kernel import count_signs, find_largest_gaps

    rows = np.ascontiguousarray(columns.T)
    target = pairs.compute_signs(columns.sum(axis=1))
    target_square = int((target**2).sum())
    largest = find_largest_gaps(rows, pairs.first, pairs.second) + _MARGIN
    left, order = np.arange(len(rows)), []
    total = np.zeros(len(columns))
    while len(left):
        gaps = total[pairs.first] - total[pairs.second]
        is_open = np.abs(gaps) <= largest
        dots, squares = count_signs(total, rows, left, pairs.first[is_open], pairs.second[is_open], target[is_open])
        dots += np.sign(gaps[~is_open]).astype(np.int64) @ target[~is_open]
        squares += len(gaps) - is_open.sum()
        best = int(compute_tau(dots, squares, target_square).argmax())
        order.append(left[best])
        total = total + rows[left[best]]
        left = np.delete(left, best)
    return np.array(order)


def order_by_difficulty(columns: Array, pairs: Pairs) -> Array:  # noqa: ARG001, one signature for all orders
    """Order items so that every prefix of the order covers all difficulties evenly."""
    x = columns - columns.mean(axis=0)
    covariance = x.sum(axis=1) @ x - (x**2).sum(axis=0)
    by_difficulty = np.lexsort((np.arange(columns.shape[1]), -covariance, columns.mean(axis=0)))
    order: Array = by_difficulty[order_by_halving(len(by_difficulty))]
    return order


def order_by_halving(n: int) -> Array:
    """Return 0 … n − 1 in the order of repeated halving (van der Corput's sequence).

    >>> order_by_halving(5).tolist()
    [0, 4, 2, 1, 3]
    """
    bits = max(1, int(n - 1).bit_length())
    numbers = np.arange(2**bits)
    mirrored = sum(((numbers >> bit) & 1) << (bits - 1 - bit) for bit in range(bits))
    order: Array = np.asarray(mirrored)
    return np.asarray(order[order < n])
