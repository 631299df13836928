"""The order of rows in which everything is computed, so that the order in the file changes no number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import polars as pl

from assay.base.arrays import Array

if TYPE_CHECKING:
    from assay.data.dataset import Dataset

T = TypeVar("T")
NUMBER_AT_END = r"([0-9]{1,18})$"


def sort_ids(ids: pl.Series | Sequence[str]) -> Array:
    """Return the order of ids, numbers at their end by value; equal ids keep their order.

    >>> sort_ids(["q10", "q9", "a", "10", "9"]).tolist()
    [4, 3, 2, 1, 0]
    """
    name = pl.col("id")
    keys = (name.str.replace(NUMBER_AT_END, ""), name.str.extract(NUMBER_AT_END).cast(pl.UInt64), name)
    return _sort_by(pl.DataFrame({"id": pl.Series(ids, dtype=pl.String)}), *keys)


def sort_rows(data: Dataset) -> Array:
    """Return the order of the rows by id; by content if the ids are row numbers, which shuffling would change."""
    if not data.has_row_ids:
        return sort_ids(data.ids)
    roles = [*data.sides, data.labels, data.parts, data.groups, data.times, *data.fields.values()]
    columns = {str(number): values for number, values in enumerate(roles) if values is not None}
    return _sort_by(pl.DataFrame(columns), *(pl.col(name) for name in columns))


def invert_order(order: Array) -> Array:
    """Return the place of every row in an order.

    >>> invert_order(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def take_rows(values: T, order: Array) -> T:
    """Return the values of all rows in another order: of a list, an array, a matrix or a column; None stays None.

    >>> take_rows(["a", "b", "c"], np.array([2, 0, 1]))
    ['c', 'a', 'b']
    """
    rows: Any = values
    if rows is None:
        return values
    taken: Any = rows[order] if hasattr(rows, "shape") else [rows[row] for row in order.tolist()]
    return cast("T", taken)


def _sort_by(table: pl.DataFrame, *keys: pl.Expr) -> Array:
    order = pl.arg_sort_by(*keys, pl.int_range(pl.len()))  # the row number decides between equal rows
    return table.select(order).to_series().to_numpy().astype(np.int64)
