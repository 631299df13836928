"""Items that better systems get wrong: candidates for a wrong gold label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.discrimination.items import filled, outcome_table
from assay.statistics import benjamini_hochberg

_BLOCK = 2_000_000  # systems dealt at a time
_STAGES = ((2_000, 1.0), (20_000, 0.05), (100_000, 0.002))  # deals, and the p of the stage before that asks for them


@dataclass(frozen=True)
class Backwards(Result):
    """How many items run against the ranking at the false discovery rate asked for, and which."""

    n_backwards: int
    items: Array
    n_tested: int
    n_systems: int
    n_permutations: int
    fdr: float
    p_values: Array = field(repr=False, compare=False)
    adjusted: Array = field(repr=False, compare=False)


def backwards_items(
    outcomes: Any, fdr: float = 0.05, n_permutations: int = 100_000, random_state: int = 0
) -> Backwards:
    """Find items whose outcome falls with the systems' score on the other items.

    One-sided permutation test: the item's outcomes are dealt anew to the systems, and p is the share of
    deals with as low a covariance with the rest score. All items get 2,000 deals, those with p < 0.05 then
    20,000 and with p < 0.002 then 100,000 new ones; Benjamini–Hochberg over the items that are not dead.
    With fewer than 6 systems nothing can be found.

    >>> table = np.triu(np.ones((12, 12)))
    >>> table[:, -1] = 1 - table[:, 5]
    >>> backwards_items(table).items.tolist()
    [11]
    """
    table = filled(outcome_table(outcomes))
    alive = np.flatnonzero(np.ptp(table, axis=0) > 0) if table.size else np.empty(0, dtype=np.int64)
    p = np.full(table.shape[1], np.nan)
    p[alive] = 0.0
    for (deals, below), seed in zip(_STAGES, np.random.SeedSequence(random_state).spawn(len(_STAGES)), strict=True):
        near = alive[p[alive] < below]
        p[near] = _p_values(table, near, min(deals, n_permutations), seed)
    adjusted = benjamini_hochberg(p)
    found = np.flatnonzero(np.nan_to_num(adjusted, nan=1.0) <= fdr)
    found = found[np.argsort(adjusted[found], kind="stable")]
    return Backwards(len(found), found, len(alive), len(table), n_permutations, fdr, p, adjusted)


def _p_values(table: Array, chosen: Array, n_permutations: int, seed: Any) -> Array:
    """Return P(covariance of a dealt item with the rest score ≤ the observed one)."""
    from assay.discrimination.deals import count_as_low

    if not len(chosen):
        return np.empty(0)
    generator = np.random.default_rng(seed)
    columns = np.ascontiguousarray(table[:, chosen])
    rest = table.sum(axis=1)[:, None] - columns
    rest = rest - rest.mean(axis=0)
    limits = (columns * rest).sum(axis=0) + 1e-9 * np.abs(rest).sum(axis=0)
    lower = np.zeros(len(chosen))
    per_block = max(1, _BLOCK // len(table))
    for start in range(0, n_permutations, per_block):
        size = min(per_block, n_permutations - start)
        deals = np.argsort(generator.random((size, len(table))), axis=1)
        lower += count_as_low(columns, rest, deals, limits)
    return np.asarray((1 + lower) / (1 + n_permutations))
