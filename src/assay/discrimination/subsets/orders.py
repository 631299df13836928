"""Orders in which columns (datasets or items) join a subset."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.subsets.pair_agreement import DECIMALS, SystemPairs, compute_tau

_MARGIN = 1e-6  # far above rounding, far below any difference that matters
MAX_CANDIDATES = 32  # compared pair by pair in each step; all columns if there are no more

ColumnOrder = Callable[[Array, SystemPairs], Array]


def order_greedily(columns: Array, pairs: SystemPairs) -> Array:
    """Add columns one by one, each time the one that brings the ranking by the sum closest to that by all columns.

    Only the `MAX_CANDIDATES` columns whose sum with the chosen ones correlates best with the sum of all columns are
    compared pair by pair, and only over pairs that some column can still turn round, so that the work grows with the
    number of columns and not with its square.
    """
    from assay.discrimination.subsets.sign_kernel import count_signs, find_largest_gaps

    rows = np.ascontiguousarray(columns.T)
    target = pairs.compute_signs(columns.sum(axis=1))
    target_square = int((target**2).sum())
    largest = find_largest_gaps(rows, pairs.first, pairs.second) + _MARGIN
    preselect = _Preselection(rows)
    left, order = np.arange(len(rows)), []
    total = np.zeros(len(columns))
    while len(left):
        gaps = total[pairs.first] - total[pairs.second]
        is_open = np.abs(gaps) <= largest
        candidates = preselect.choose(left)
        open_pairs = pairs.first[is_open], pairs.second[is_open], target[is_open]
        dots, squares = count_signs(total, rows, candidates, *open_pairs)
        dots += np.sign(gaps[~is_open]).astype(np.int64) @ target[~is_open]
        squares += len(gaps) - is_open.sum()
        best = int(candidates[compute_tau(dots, squares, target_square).argmax()])
        order.append(best)
        total = total + rows[best]
        preselect.add(best)
        left = left[left != best]
    return np.array(order)


class _Preselection:
    """The columns with which the sum of the chosen ones correlates best with the sum of all."""

    def __init__(self, rows: Array) -> None:
        centred = rows - rows.mean(axis=1, keepdims=True)
        self.products = centred @ centred.T
        self.with_all = self.products.sum(axis=1)
        self.with_total = np.zeros(len(rows))
        self.chosen: list[int] = []

    def choose(self, left: Array) -> Array:
        """Return the best columns among those left, in their order."""
        if len(left) <= MAX_CANDIDATES:
            return left
        covariance = self.with_all[self.chosen].sum() + self.with_all[left]
        variance = self.with_total[self.chosen].sum() + 2 * self.with_total[left] + np.diag(self.products)[left]
        correlation = covariance / np.sqrt(np.maximum(variance, 1e-12))
        return np.sort(left[np.argpartition(-correlation, MAX_CANDIDATES)[:MAX_CANDIDATES]])

    def add(self, column: int) -> None:
        """Add a column to the chosen ones."""
        self.chosen.append(column)
        self.with_total += self.products[column]


def order_by_difficulty(columns: Array, pairs: SystemPairs) -> Array:  # noqa: ARG001, one signature for all orders
    """Order items so that every prefix of the order covers all difficulties evenly."""
    x = columns - columns.mean(axis=0)
    covariance = x.sum(axis=1) @ x - (x**2).sum(axis=0)
    keys = np.round([-covariance, columns.mean(axis=0)], DECIMALS)  # sums in another order must stay ties
    by_difficulty = np.lexsort((np.arange(columns.shape[1]), *keys))
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
