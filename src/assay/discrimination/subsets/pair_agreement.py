"""Kendall's τ-b between rankings, computed over all pairs of systems or a sample of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array

MAX_PAIRS = 20_000  # of systems; beyond, a random sample of pairs represents all
DECIMALS = 9  # equal sums in another order must stay equal


@dataclass(frozen=True, eq=False)
class SystemPairs:
    """Pairs of systems by their row numbers."""

    first: Array
    second: Array

    def compute_signs(self, scores: Array) -> Array:
        """Return the sign of every paired difference of the scores."""
        gaps = np.round(scores[self.first] - scores[self.second], DECIMALS)
        return np.sign(gaps).astype(np.int64)


def draw_pairs(marked: Array, generator: np.random.Generator) -> SystemPairs:
    """Return the pairs with at least one marked system, or a sample of these pairs."""
    n = len(marked)
    if n * (n - 1) // 2 <= MAX_PAIRS:
        first, second = np.triu_indices(n, 1)
    else:
        first, second = generator.integers(n, size=(2, 6 * MAX_PAIRS))
    chosen = (first != second) & (marked[first] | marked[second])
    return SystemPairs(first[chosen][:MAX_PAIRS], second[chosen][:MAX_PAIRS])


def compute_tau(dots: Array, squares: Array, target_square: int) -> Array:
    """Return Kendall's τ-b from Σ sign · target and Σ sign² of each ranking; 0 if one of them is constant."""
    size = np.sqrt(squares.astype(np.float32) * np.float32(target_square))
    tau: Array = np.divide(dots.astype(np.float32), size, out=np.zeros(len(dots), dtype=np.float32), where=size > 0)
    return tau


def measure_agreement(columns: Array, order: Array, sizes: list[int], pairs: SystemPairs) -> Array:
    """Return τ-b between the ranking by all columns and by the first columns of an order, for every size."""
    from assay.discrimination.subsets.sign_kernel import count_signs

    sums = np.ascontiguousarray(np.cumsum(columns[:, order], axis=1)[:, np.array(sizes) - 1].T)
    target = pairs.compute_signs(columns.sum(axis=1))
    nothing = np.zeros(len(columns))
    dots, squares = count_signs(nothing, sums, np.arange(len(sizes)), pairs.first, pairs.second, target)
    return compute_tau(dots, squares, int((target**2).sum())).astype(float)
