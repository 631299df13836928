"""Items with negative discrimination: better systems get them wrong, so their gold label may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array, Seed, Values
from assay.discrimination.columns import ARRAY
from assay.discrimination.items.outcome_tables import fill_missing, to_outcome_table
from assay.statistics import benjamini_hochberg
from assay.views.results import Result

BLOCK_CELLS = 2_000_000  # of permutations in memory at a time
STAGES = ((2_000, 1.0), (20_000, 0.05), (100_000, 0.002))  # permutations, and below which p of the stage before


@dataclass(frozen=True)
class NegativeDiscrimination(Result):
    """How many items have negative discrimination at the false discovery rate, and which, the most certain first."""

    n_negative: int
    n_tested: int
    n_systems: int
    n_permutations: int
    fdr: float
    items: Array = field(repr=False, compare=False, metadata=ARRAY)
    p_values: Array = field(repr=False, compare=False, metadata=ARRAY)
    adjusted: Array = field(repr=False, compare=False, metadata=ARRAY)

    def _frame(self) -> pl.DataFrame:
        """Return one row per item with negative discrimination."""
        columns = {"item": self.items, "p": self.p_values[self.items], "adjusted_p": self.adjusted[self.items]}
        return pl.DataFrame(columns)


def find_negative_discrimination(
    outcomes: Values, fdr: float = 0.05, n_permutations: int = 100_000, random_state: int = 0
) -> NegativeDiscrimination:
    """Find items whose outcome falls with the systems' score on the other items (outcomes: systems × items).

    One-sided permutation test: p is the share of permutations of the item's outcomes with as low a covariance with the
    rest score. All items get 2,000 permutations, those with p < 0.05 then 20,000 and those with p < 0.002 then 100,000
    new ones; Benjamini–Hochberg over the informative items. Fewer than 6 systems cannot show anything.

    >>> table = np.triu(np.ones((12, 12)))
    >>> table[:, -1] = 1 - table[:, 5]
    >>> find_negative_discrimination(table).items.tolist()
    [11]
    """
    table = fill_missing(to_outcome_table(outcomes))
    informative = np.flatnonzero(np.ptp(table, axis=0) > 0) if table.size else np.empty(0, dtype=np.int64)
    p = np.full(table.shape[1], np.nan)
    p[informative] = 0.0
    seeds = np.random.SeedSequence(random_state).spawn(len(STAGES))
    for (n_stage, below), seed in zip(STAGES, seeds, strict=True):
        chosen = informative[p[informative] < below]
        p[chosen] = _test_items(table, chosen, min(n_stage, n_permutations), seed)
    adjusted = benjamini_hochberg(p)
    negative = np.flatnonzero(np.nan_to_num(adjusted, nan=1.0) <= fdr)
    negative = negative[np.argsort(adjusted[negative], kind="stable")]
    counts = (len(negative), len(informative), len(table), n_permutations)
    return NegativeDiscrimination(*counts, fdr, negative, p, adjusted)


def _test_items(table: Array, chosen: Array, n_permutations: int, seed: Seed) -> Array:
    """Return P(covariance of the permuted item with the rest score ≤ the observed one)."""
    from assay.discrimination.items.permutation_kernel import count_low_covariances

    if not len(chosen):
        return np.empty(0)
    generator = np.random.default_rng(seed)
    columns = np.ascontiguousarray(table[:, chosen])
    rest = table.sum(axis=1)[:, None] - columns
    rest = rest - rest.mean(axis=0)
    limits = (columns * rest).sum(axis=0) + 1e-9 * np.abs(rest).sum(axis=0)
    n_low = np.zeros(len(chosen))
    per_block = max(1, BLOCK_CELLS // len(table))
    for start in range(0, n_permutations, per_block):
        size = min(per_block, n_permutations - start)
        permutations = np.argsort(generator.random((size, len(table))), axis=1)
        n_low += count_low_covariances(columns, rest, permutations, limits)
    return np.asarray((1 + n_low) / (1 + n_permutations))
