"""Items that better systems get wrong: candidates for a wrong gold label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.discrimination.items import filled, outcome_table
from assay.results import Result
from assay.statistics import benjamini_hochberg

Array = np.ndarray[Any, Any]
_BLOCK = 20_000_000


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
    deals with as low a covariance with the rest score. All items get 2,000 deals, those with p < 0.1 all of
    them; Benjamini–Hochberg over the items that are not dead. With fewer than 6 systems nothing can be found.

    >>> table = np.triu(np.ones((12, 12)))
    >>> table[:, -1] = 1 - table[:, 5]
    >>> backwards_items(table).items.tolist()
    [11]
    """
    table = filled(outcome_table(outcomes))
    alive = np.flatnonzero(np.ptp(table, axis=0) > 0) if table.size else np.empty(0, dtype=np.int64)
    p = np.full(table.shape[1], np.nan)
    seeds = np.random.SeedSequence(random_state).spawn(2)
    p[alive] = _p_values(table, alive, min(2000, n_permutations), seeds[0])
    near = alive[p[alive] < 0.1]
    if len(near) and n_permutations > 2000:
        p[near] = _p_values(table, near, n_permutations, seeds[1])
    adjusted = benjamini_hochberg(p)
    found = np.flatnonzero(np.nan_to_num(adjusted, nan=1.0) <= fdr)
    found = found[np.argsort(adjusted[found], kind="stable")]
    return Backwards(len(found), found, len(alive), len(table), n_permutations, fdr, p, adjusted)


def _p_values(table: Array, chosen: Array, n_permutations: int, seed: Any) -> Array:
    """Return P(covariance of a dealt item with the rest score ≤ the observed one)."""
    if not len(chosen):
        return np.empty(0)
    generator = np.random.default_rng(seed)
    columns = table[:, chosen]
    totals = table.sum(axis=1)
    rest = totals[:, None] - columns
    rest = rest - rest.mean(axis=0)
    observed = (columns * rest).sum(axis=0)
    slack = 1e-9 * np.abs(rest).sum(axis=0)
    lower = np.zeros(len(chosen))
    per_block = max(1, _BLOCK // (len(table) * len(table)))
    for start in range(0, n_permutations, per_block):
        size = min(per_block, n_permutations - start)
        deals = np.argsort(generator.random((size, len(table))), axis=1)
        lower += _as_low(deals, columns, totals, observed, slack)
    return (1 + lower) / (1 + n_permutations)


def _as_low(deals: Array, columns: Array, totals: Array, observed: Array, slack: Array) -> Array:
    """Count the deals with as low a covariance.

    The rest score is the total less the item, so a deal π gives Σ x[π(s)] T[s] − Σ x[π(s)] x[s] − mean part.
    """
    inverse = np.argsort(deals, axis=1)
    with_totals = totals[inverse] @ columns  # Σ_s x[s] T[π⁻¹(s)]
    mean_part = columns.sum(axis=0) * (totals.sum() - columns.sum(axis=0)) / len(totals)
    counts = np.zeros(columns.shape[1])
    step = max(1, _BLOCK // max(1, columns.size))
    for start in range(0, len(deals), step):
        part = slice(start, start + step)
        own = np.einsum("dsi,si->di", columns[deals[part]], columns)
        counts += ((with_totals[part] - own - mean_part) <= observed + slack).sum(axis=0)
    return counts
