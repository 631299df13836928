"""What every item tells about the systems: difficulty, discrimination, and whether it is dead."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result


@dataclass(frozen=True)
class Items(Result):
    """Counts of dead items, and per item difficulty (share right), point-biserial and corrected correlation."""

    n_items: int
    n_all_right: int
    n_all_wrong: int
    share_dead: float
    mean_difficulty: float
    mean_discrimination: float
    n_systems: int
    difficulty: Array = field(repr=False, compare=False)
    point_biserial: Array = field(repr=False, compare=False)
    discrimination: Array = field(repr=False, compare=False)
    dead: Array = field(repr=False, compare=False)


def item_analysis(outcomes: Any) -> Items:
    """Describe the items of an outcomes table (systems × items).

    `difficulty` is the mean outcome; `point_biserial` correlates an item with the systems' mean scores,
    `discrimination` with their scores on the other items (corrected item-rest), nan where an item is
    dead: every system has the same outcome. Missing outcomes count for nothing.

    >>> found = item_analysis([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    >>> found.n_all_right, found.n_all_wrong, found.discrimination.round(2).tolist()
    (1, 1, [nan, 0.5, 0.5, nan])
    """
    table = outcome_table(outcomes)
    present = np.isfinite(table)
    with np.errstate(invalid="ignore", divide="ignore"):
        difficulty = np.where(present, table, 0.0).sum(axis=0) / present.sum(axis=0)
    high, low = np.nanmax(table, axis=0, initial=-np.inf), np.nanmin(table, axis=0, initial=np.inf)
    dead = high <= low
    right, wrong = dead & (high > 0), dead & (high <= 0)
    total, rest = _correlations(table, present)
    n = table.shape[1]
    discrimination = np.where(dead, np.nan, rest)
    alive = np.isfinite(discrimination)
    return Items(
        n_items=n,
        n_all_right=int(right.sum()),
        n_all_wrong=int(wrong.sum()),
        share_dead=float(dead.mean()) if n else float("nan"),
        mean_difficulty=float(np.nanmean(difficulty)) if n else float("nan"),
        mean_discrimination=float(discrimination[alive].mean()) if alive.any() else float("nan"),
        n_systems=len(table),
        difficulty=difficulty,
        point_biserial=np.where(dead, np.nan, total),
        discrimination=discrimination,
        dead=dead,
    )


def outcome_table(outcomes: Any) -> Array:
    """Return outcomes as numbers, systems × items."""
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2:
        raise UsageError(f"outcomes have shape {table.shape}; systems × items are needed.")
    return table


def filled(table: Array) -> Array:
    """Put the item's mean where an outcome is missing, which moves no correlation's sign."""
    present = np.isfinite(table)
    if present.all():
        return table
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(present, table, 0.0).sum(axis=0) / present.sum(axis=0)
    return np.where(present, table, np.nan_to_num(means))


def _correlations(table: Array, present: Array) -> tuple[Array, Array]:
    whole = filled(table) if not present.all() else table
    totals = whole.sum(axis=1)
    x = whole - whole.mean(axis=0)
    t = totals - totals.mean()
    sxx, stt, sxt = (x**2).sum(axis=0), float(t @ t), t @ x
    with np.errstate(invalid="ignore", divide="ignore"):
        total = sxt / np.sqrt(sxx * stt)
        rest = (sxt - sxx) / np.sqrt(sxx * np.maximum(stt - 2 * sxt + sxx, 0.0))
    return total, rest
