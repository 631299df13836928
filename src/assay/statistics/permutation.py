"""The paired permutation test: how often would swapping two systems item by item give as large a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.statistics.bootstrap import group_sums

_BLOCK = 4_000_000


@dataclass(frozen=True)
class Permutation(Result):
    """The mean difference a − b and its two-sided p; exact where all swaps were counted."""

    p: float
    difference: float
    n: int
    n_permutations: int
    exact: bool


def paired_permutation(
    a: Any, b: Any, n_permutations: int = 10_000, random_state: Any = 0, groups: Any = None
) -> Permutation:
    """Test whether the mean of a − b is zero, by swapping a and b at random (two-sided).

    All swaps are counted where there are few enough, or where all differences are equally large
    (then it is the exact binomial test); otherwise p = (1 + as extreme) / (1 + n_permutations).
    With groups, whole groups are swapped.

    >>> paired_permutation([1, 1, 1, 1, 1], [0, 0, 0, 0, 0]).p
    0.0625
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError(f"a has shape {first.shape}, b {second.shape}; both must be equally long lists.")
    difference = first - second
    if not len(difference) or not np.isfinite(difference).all():
        return Permutation(float("nan"), float("nan"), len(difference), 0, False)
    units = difference if groups is None else group_sums(difference[:, None], groups)[:, 0]
    moved = np.sort(units[units != 0])  # sorted, so that the order of rows does not matter
    p, n_done, exact = _p(moved, n_permutations, random_state)
    return Permutation(p, float(difference.mean()), len(difference), n_done, exact)


def _p(moved: Array, n_permutations: int, random_state: Any) -> tuple[float, int, bool]:
    if not len(moved):
        return 1.0, 1, True
    sizes = np.abs(moved)
    if sizes.max() - sizes.min() <= 1e-12 * sizes.max():
        from scipy.stats import binomtest

        n_up = int((moved > 0).sum())
        return float(binomtest(n_up, len(moved), 0.5).pvalue), n_permutations, True
    observed = abs(moved.sum()) - 1e-9 * sizes.sum()  # sums of the same numbers differ by rounding
    if 2 ** len(moved) <= n_permutations:
        signs = ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1) * 2 - 1
        return float(np.mean(np.abs(signs @ moved) >= observed)), len(signs), True
    extreme = _count_extreme(moved, observed, n_permutations, random_state)
    return (1 + extreme) / (1 + n_permutations), n_permutations, False


def _count_extreme(moved: Array, observed: float, n_permutations: int, random_state: Any) -> int:
    generator = np.random.default_rng(random_state)
    rows = max(1, _BLOCK // len(moved))
    total, extreme = moved.sum(), 0
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        kept = generator.integers(2, size=(size, len(moved)), dtype=np.int8).astype(np.float64)
        extreme += int((np.abs(2 * (kept @ moved) - total) >= observed).sum())
    return extreme
