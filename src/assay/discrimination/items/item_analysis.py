"""Classical item analysis: difficulty and discrimination of every item, and items that are uninformative."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.discrimination.columns import ARRAY, ColumnResult
from assay.discrimination.items.outcome_tables import average_items, fill_missing, to_outcome_table

ROUNDING = 1e-12  # of a sum of squares: smaller ones are what cancellation leaves of 0


@dataclass(frozen=True)
class ItemAnalysis(ColumnResult):
    """Counts of uninformative items, and per item the share right, point-biserial and item-rest correlation.

    `n_all_right` and `n_all_wrong` count items with the best and the worst outcome for every system;
    `n_all_same` counts items with another outcome that is the same for all, such as half a point; all three are among
    the `n_complete` items that every system has an outcome for.
    """

    _columns: ClassVar[tuple[str, ...]] = ("difficulty", "point_biserial", "discrimination", "uninformative")

    n_items: int
    n_complete: int
    n_all_right: int
    n_all_wrong: int
    n_all_same: int
    share_uninformative: float
    mean_difficulty: float
    mean_discrimination: float
    n_systems: int
    difficulty: Array = field(repr=False, compare=False, metadata=ARRAY)
    point_biserial: Array = field(repr=False, compare=False, metadata=ARRAY)
    discrimination: Array = field(repr=False, compare=False, metadata=ARRAY)
    uninformative: Array = field(repr=False, compare=False, metadata=ARRAY)
    all_right: Array = field(repr=False, compare=False, metadata=ARRAY)
    all_wrong: Array = field(repr=False, compare=False, metadata=ARRAY)
    all_same: Array = field(repr=False, compare=False, metadata=ARRAY)


def analyse_items(outcomes: ArrayLike, best: float | None = None) -> ItemAnalysis:
    """Describe the items of an outcomes table (systems × items).

    `difficulty` is the mean outcome, the share of systems that are right; `point_biserial` correlates an item with the
    systems' mean scores, `discrimination` with their scores on the other items (corrected item-rest correlation), nan
    if these are equal. An item is uninformative if every system has the same outcome; its correlations are nan.
    `best` is the best possible outcome, 1 by default or the largest one if outcomes exceed 1. Missing outcomes are
    ignored.

    >>> analysis = analyse_items([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    >>> analysis.n_all_right, analysis.n_all_wrong, analysis.discrimination.round(2).tolist()
    (1, 1, [nan, 0.5, 0.5, nan])
    """
    table = to_outcome_table(outcomes)
    n_items = table.shape[1]
    difficulty = average_items(table, np.isfinite(table))
    high, low = np.nanmax(table, axis=0, initial=-np.inf), np.nanmin(table, axis=0, initial=np.inf)
    uninformative = high <= low
    best, worst = _find_ends(table, best)
    complete = np.isfinite(table).all(axis=0)
    same = uninformative & complete
    all_right = same & (low >= best)
    all_wrong = same & (high <= worst) & ~all_right
    all_same = same & ~all_right & ~all_wrong
    with_total, with_rest = _correlate_items(fill_missing(table))
    discrimination = np.where(uninformative, np.nan, with_rest)
    defined = discrimination[np.isfinite(discrimination)]
    return ItemAnalysis(
        n_items=n_items,
        n_complete=int(complete.sum()),
        n_all_right=int(all_right.sum()),
        n_all_wrong=int(all_wrong.sum()),
        n_all_same=int(all_same.sum()),
        share_uninformative=float(same.sum() / complete.sum()) if complete.any() else float("nan"),
        mean_difficulty=float(np.nanmean(difficulty)) if n_items else float("nan"),
        mean_discrimination=float(defined.mean()) if len(defined) else float("nan"),
        n_systems=len(table),
        difficulty=difficulty,
        point_biserial=np.where(uninformative, np.nan, with_total),
        discrimination=discrimination,
        uninformative=uninformative,
        all_right=all_right,
        all_wrong=all_wrong,
        all_same=all_same,
    )


def _find_ends(table: Array, best: float | None) -> tuple[float, float]:
    """Return the best and the worst possible outcome: 1 and 0, or the observed ends of another scale."""
    known = table[np.isfinite(table)]
    largest, smallest = float(known.max(initial=0.0)), float(known.min(initial=0.0))
    return (best if best is not None else max(1.0, largest)), smallest


def _correlate_items(table: Array) -> tuple[Array, Array]:
    """Return the correlation of every item with the total score, and with the score on the other items."""
    totals = table.sum(axis=1)
    x = table - table.mean(axis=0)
    t = totals - totals.mean()
    sxx, stt, sxt = (x**2).sum(axis=0), float(t @ t), t @ x
    rest = stt - 2 * sxt + sxx
    rest = np.where(rest > ROUNDING * (stt + sxx), rest, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        with_total = sxt / np.sqrt(sxx * (stt if stt > ROUNDING * float(totals @ totals) else 0.0))
        with_rest = (sxt - sxx) / np.sqrt(sxx * rest)
    undefined = (rest == 0) | (sxx == 0)
    return np.where(np.isfinite(with_total), with_total, np.nan), np.where(undefined, np.nan, with_rest)
