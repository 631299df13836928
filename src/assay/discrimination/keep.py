"""Which datasets, or items, to keep: the fewest that still give the ranking, checked on systems held out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.discrimination.items import outcome_table
from assay.discrimination.threads import one_thread

_PAIRS = 20_000  # of systems compared at most; beyond, a seeded sample of pairs stands for all
_REPEATS = 4  # of the folds: a handful of held-out systems is a noisy judge
_SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Keep(Result):
    """The smallest subset with held-out Kendall τ at the threshold, and the front of size against agreement.

    `front` has the sizes that no smaller size matches: (size, held-out τ, τ on all systems).
    """

    size: int | None
    agreement: float
    chosen: list[int]
    front: list[dict[str, float]]
    threshold: float
    n_columns: int
    n_systems: int
    n_folds: int
    reason: str | None = None


@one_thread
def keep_datasets(scores: Any, threshold: float = 0.95, n_folds: int = 5, random_state: int = 0) -> Keep:
    """Choose datasets one by one, each time the one that brings the mean score's ranking nearest to that of all.

    Greedy forward selection on standardised columns (systems × datasets, complete rows only), repeated with every fold
    of systems held out; agreement is Kendall's τ-b over the pairs that hold a held-out system.

    >>> x = np.arange(12.0)
    >>> keep_datasets(np.stack([x, x, x], axis=1)).size
    1
    """
    table = outcome_table(scores)
    whole = table[np.isfinite(table).all(axis=1)]
    reason = _too_small(whole, n_folds)
    if reason:
        return Keep(None, math.nan, [], [], threshold, table.shape[1], len(whole), n_folds, reason)
    deviation = whole.std(axis=0)
    columns = np.divide(whole - whole.mean(axis=0), deviation, out=np.zeros_like(whole), where=deviation > 0)
    sizes = list(range(1, columns.shape[1] + 1))
    return _checked(columns, sizes, _greedy, threshold, n_folds, random_state)


@one_thread
def keep_items(outcomes: Any, threshold: float = 0.95, n_folds: int = 5, random_state: int = 0) -> Keep:
    """Choose items spread evenly over all difficulties, on a grid of sizes (systems × items).

    Picking the most discriminating items instead fits the systems at hand and fails on held-out ones.
    Agreement as in `keep_datasets`.
    """
    table = outcome_table(outcomes)
    whole = table[np.isfinite(table).all(axis=1)]
    reason = _too_small(whole, n_folds)
    if reason:
        return Keep(None, math.nan, [], [], threshold, table.shape[1], len(whole), n_folds, reason)
    n = whole.shape[1]
    sizes = sorted({max(1, round(share * n)) for share in _SHARES})
    return _checked(whole, sizes, _spread, threshold, n_folds, random_state)


def _too_small(whole: Array, n_folds: int) -> str | None:
    k, d = whole.shape
    if k < max(6, n_folds) or d < 2:
        return f"{k} systems with all of {d} columns; at least {max(6, n_folds)} systems and 2 columns are needed"
    return "all systems have the same mean" if np.ptp(whole.mean(axis=1).round(12)) == 0 else None


def _checked(columns: Array, sizes: list[int], order_of: Any, threshold: float, n_folds: int, seed: int) -> Keep:
    generator = np.random.default_rng(seed)
    n_systems, n_columns = columns.shape
    held = []
    for _ in range(_REPEATS):
        folds = generator.permutation(n_systems) % n_folds
        for fold in range(n_folds):
            train = np.flatnonzero(folds != fold)
            order = order_of(columns[train], _pairs(np.ones(len(train), dtype=bool), generator))
            held.append(_agreements(columns, order, sizes, _pairs(folds == fold, generator)))
    everyone = _pairs(np.ones(n_systems, dtype=bool), generator)
    order = order_of(columns, everyone)
    own = _agreements(columns, order, sizes, everyone)
    outside = np.mean(held, axis=0)
    outside[-1] = 1.0 if sizes[-1] == n_columns else outside[-1]
    front = _front(sizes, outside, own)
    place = next((at for at, tau in enumerate(outside) if tau >= threshold), None)
    size = None if place is None else sizes[place]
    agreement = math.nan if place is None else float(outside[place])
    chosen = [] if size is None else sorted(int(column) for column in order[:size])
    return Keep(size, agreement, chosen, front, threshold, n_columns, n_systems, n_folds)


def _pairs(marked: Array, generator: np.random.Generator) -> tuple[Array, Array]:
    """Return the pairs of systems of whom at least one is marked, or a sample of them."""
    n = len(marked)
    if n * (n - 1) // 2 <= _PAIRS:
        first, second = np.triu_indices(n, 1)
    else:
        first, second = generator.integers(n, size=(2, 6 * _PAIRS))
    kept = (first != second) & (marked[first] | marked[second])
    return first[kept][:_PAIRS], second[kept][:_PAIRS]


def _signs(scores: Array, pairs: tuple[Array, Array]) -> Array:
    return np.asarray(np.sign(np.round(scores[pairs[0]] - scores[pairs[1]], 9))).astype(np.float32)


def _tau(signs: Array, target: Array) -> Array:
    """Return Kendall's τ-b of each column with the target, from signs of paired differences."""
    size = np.sqrt((signs**2).sum(axis=0) * (target**2).sum())
    tau: Array = np.divide(target @ signs, size, out=np.zeros(signs.shape[1], dtype=np.float32), where=size > 0)
    return tau


def _greedy(columns: Array, pairs: tuple[Array, Array]) -> Array:
    target = _signs(columns.sum(axis=1), pairs)
    left = list(range(columns.shape[1]))
    total, order = np.zeros(len(columns)), []
    while left:
        values = _tau(_signs(total[:, None] + columns[:, left], pairs), target)
        best = left.pop(int(values.argmax()))
        total = total + columns[:, best]
        order.append(best)
    return np.array(order)


def _spread(columns: Array, pairs: tuple[Array, Array]) -> Array:  # noqa: ARG001, one signature for all
    """Order items so that every beginning of the order covers all difficulties evenly."""
    x = columns - columns.mean(axis=0)
    covariance = x.sum(axis=1) @ x - (x**2).sum(axis=0)
    by_difficulty = np.lexsort((np.arange(columns.shape[1]), -covariance, columns.mean(axis=0)))
    order: Array = by_difficulty[_halving(len(by_difficulty))]
    return order


def _halving(n: int) -> Array:
    """Return 0 … n − 1 in the order of repeated halving (van der Corput's sequence).

    >>> _halving(5).tolist()
    [0, 4, 2, 1, 3]
    """
    bits = max(1, int(n - 1).bit_length())
    numbers = np.arange(2**bits)
    mirrored = sum(((numbers >> bit) & 1) << (bits - 1 - bit) for bit in range(bits))
    order: Array = np.asarray(mirrored)
    return np.asarray(order[order < n])


def _agreements(columns: Array, order: Array, sizes: list[int], pairs: tuple[Array, Array]) -> Array:
    sums = np.cumsum(columns[:, order], axis=1)[:, np.array(sizes) - 1]
    return _tau(_signs(sums, pairs), _signs(columns.sum(axis=1), pairs)).astype(float)


def _front(sizes: list[int], outside: Array, own: Array) -> list[dict[str, float]]:
    front, best = [], -math.inf
    for size, tau, fitted in zip(sizes, outside, own, strict=True):
        if tau > best + 1e-9:
            front.append({"size": size, "agreement": float(tau), "agreement_all_systems": float(fitted)})
            best = tau
    return front
