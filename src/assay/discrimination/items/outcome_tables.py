"""Tables of outcomes, systems × items."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError


def to_outcome_table(outcomes: ArrayLike) -> Array:
    """Return outcomes as numbers, systems × items."""
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2:
        raise UsageError(f"have shape {table.shape}; systems × items are needed.", option="outcomes")
    return table


def fill_missing(table: Array) -> Array:
    """Replace missing outcomes by the mean of their item, which keeps the sign of every correlation."""
    present = np.isfinite(table)
    if present.all():
        return table
    return np.where(present, table, np.nan_to_num(average_items(table, present)))


def average_items(table: Array, present: Array) -> Array:
    """Return the mean outcome of every item; nan if no system answered."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Array = np.where(present, table, 0.0).sum(axis=0) / present.sum(axis=0)
    return means
