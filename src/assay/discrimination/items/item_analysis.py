"""Classical item analysis: difficulty and discrimination of every item, and items that are uninformative."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.columns import ARRAY, ColumnResult
from assay.discrimination.items.outcome_tables import average_items, fill_missing, to_outcome_table


@dataclass(frozen=True)
class ItemAnalysis(ColumnResult):
    """Counts of uninformative items, and per item the share right, point-biserial and item-rest correlation."""

    _columns: ClassVar[tuple[str, ...]] = ("difficulty", "point_biserial", "discrimination", "uninformative")

    n_items: int
    n_all_right: int
    n_all_wrong: int
    share_uninformative: float
    mean_difficulty: float
    mean_discrimination: float
    n_systems: int
    difficulty: Array = field(repr=False, compare=False, metadata=ARRAY)
    point_biserial: Array = field(repr=False, compare=False, metadata=ARRAY)
    discrimination: Array = field(repr=False, compare=False, metadata=ARRAY)
    uninformative: Array = field(repr=False, compare=False, metadata=ARRAY)


def analyse_items(outcomes: Any) -> ItemAnalysis:
    """Describe the items of an outcomes table (systems × items).

    `difficulty` is the mean outcome; `point_biserial` correlates an item with the systems' mean scores,
    `discrimination` with their scores on the other items (corrected item-rest correlation). An item is uninformative
    where every system has the same outcome; its correlations are nan. Missing outcomes are ignored.

    >>> analysis = analyse_items([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    >>> analysis.n_all_right, analysis.n_all_wrong, analysis.discrimination.round(2).tolist()
    (1, 1, [nan, 0.5, 0.5, nan])
    """
    table = to_outcome_table(outcomes)
    n_items = table.shape[1]
    difficulty = average_items(table, np.isfinite(table))
    high, low = np.nanmax(table, axis=0, initial=-np.inf), np.nanmin(table, axis=0, initial=np.inf)
    uninformative = high <= low
    with_total, with_rest = _correlate_items(fill_missing(table))
    discrimination = np.where(uninformative, np.nan, with_rest)
    defined = discrimination[np.isfinite(discrimination)]
    return ItemAnalysis(
        n_items=n_items,
        n_all_right=int((uninformative & (high > 0)).sum()),
        n_all_wrong=int((uninformative & (high <= 0)).sum()),
        share_uninformative=float(uninformative.mean()) if n_items else float("nan"),
        mean_difficulty=float(np.nanmean(difficulty)) if n_items else float("nan"),
        mean_discrimination=float(defined.mean()) if len(defined) else float("nan"),
        n_systems=len(table),
        difficulty=difficulty,
        point_biserial=np.where(uninformative, np.nan, with_total),
        discrimination=discrimination,
        uninformative=uninformative,
    )


def _correlate_items(table: Array) -> tuple[Array, Array]:
    """Return the correlation of every item with the total score, and with the score on the other items."""
    totals = table.sum(axis=1)
    x = table - table.mean(axis=0)
    t = totals - totals.mean()
    sxx, stt, sxt = (x**2).sum(axis=0), float(t @ t), t @ x
    with np.errstate(invalid="ignore", divide="ignore"):
        with_total = sxt / np.sqrt(sxx * stt)
        with_rest = (sxt - sxx) / np.sqrt(sxx * np.maximum(stt - 2 * sxt + sxx, 0.0))
    return with_total, with_rest
