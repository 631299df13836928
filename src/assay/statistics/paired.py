"""Tests of two systems that answered the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array, Seed
from assay.base.errors import UsageError
from assay.statistics.bootstrap import group_sums
from assay.views.results import Result

_BLOCK = 4_000_000


@dataclass(frozen=True)
class McNemar(Result):
    """The two-sided exact p-value, and the items that only one of the two systems got right."""

    p: float
    only_first: int
    only_second: int


@dataclass(frozen=True)
class Permutation(Result):
    """The mean difference a − b and its two-sided p-value; exact if all swaps were counted."""

    p: float
    difference: float
    n: int
    n_permutations: int
    exact: bool


def mcnemar(b: int, c: int) -> McNemar:
    """Test whether b (only the first is right) and c (only the second is right) are equally likely.

    Exact binomial test, two-sided; p is 1 if b and c are both 0.

    >>> round(mcnemar(10, 2).p, 5)
    0.03857
    """
    from scipy.special import bdtr

    if b < 0 or c < 0:
        raise UsageError(f"Counts cannot be negative; they are {b} and {c}.")
    p = min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))
    return McNemar(p, int(b), int(c))


def paired_permutation(
    a: object, b: object, n_permutations: int = 10_000, random_state: Seed = 0, groups: ArrayLike | None = None
) -> Permutation:
    """Test whether the mean of a − b is zero, by swapping a and b at random (two-sided).

    All swaps are counted if there are few enough, or if all differences are equally large (then it is the exact
    binomial test); otherwise p = (1 + as extreme) / (1 + n_permutations). With groups, whole groups are swapped.

    >>> paired_permutation([1, 1, 1, 1, 1], [0, 0, 0, 0, 0]).p
    0.0625
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError(f"The lists must be equally long; a has shape {first.shape}, b {second.shape}.")
    difference = first - second
    if not len(difference) or not np.isfinite(difference).all():
        return Permutation(float("nan"), float("nan"), len(difference), 0, False)
    units = difference if groups is None else group_sums(difference[:, None], groups)[:, 0]
    nonzero = np.sort(units[units != 0])  # sorted, so that the order of rows does not matter
    p, n_counted, exact = _test_signs(nonzero, n_permutations, random_state)
    return Permutation(p, float(difference.mean()), len(difference), n_counted, exact)


def _test_signs(differences: Array, n_permutations: int, random_state: Seed) -> tuple[float, int, bool]:
    """Return the p-value over random signs of the differences, the number of signs tried, and whether that is all."""
    if not len(differences):
        return 1.0, 1, True
    sizes = np.abs(differences)
    if sizes.max() - sizes.min() <= 1e-12 * sizes.max():
        from scipy.stats import binomtest

        n_positive = int((differences > 0).sum())
        return float(binomtest(n_positive, len(differences), 0.5).pvalue), n_permutations, True
    observed = abs(differences.sum()) - 1e-9 * sizes.sum()  # sums of the same numbers differ by rounding
    if 2 ** len(differences) <= n_permutations:
        signs = ((np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences))) & 1) * 2 - 1
        return float(np.mean(np.abs(signs @ differences) >= observed)), len(signs), True
    extreme = _count_extreme(differences, observed, n_permutations, random_state)
    return (1 + extreme) / (1 + n_permutations), n_permutations, False


def _count_extreme(differences: Array, observed: float, n_permutations: int, random_state: Seed) -> int:
    generator = np.random.default_rng(random_state)
    rows = max(1, _BLOCK // len(differences))
    total, extreme = differences.sum(), 0
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        kept = generator.integers(2, size=(size, len(differences)), dtype=np.int8).astype(np.float64)
        extreme += int((np.abs(2 * (kept @ differences) - total) >= observed).sum())
    return extreme
