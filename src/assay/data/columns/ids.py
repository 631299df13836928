"""Ids: the data's own as text, or row numbers."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.columns.table import list_names, shorten_name


def make_ids(column: pl.Series | None, parts: pl.Series | None, n: int, place: object) -> pl.Series:
    """Return the id of every row; without a column, row numbers from 0, within a part's file after its name.

    Ids that restart in each part follow the name of the part, too.

    >>> make_ids(None, pl.Series(["train", "train", "test"]), 3, "folder").to_list()
    ['train-0', 'train-1', 'test-0']
    >>> make_ids(pl.Series(["a", "b", "a"]), pl.Series(["train", "train", "test"]), 3, "folder").to_list()
    ['train-a', 'train-b', 'test-a']
    """
    if column is not None:
        _check_none_missing(column, place)
        if parts is not None and ids_restart(column, parts):
            return pl.select(pl.concat_str(parts.fill_null("rest"), column, separator="-")).to_series().alias("id")
        _check_unique(column, place)
        return column.alias("id")
    if parts is None:
        return pl.int_range(n, eager=True).cast(pl.String).alias("id")
    rows = parts.fill_null("rest").to_frame("part")
    number = pl.int_range(pl.len()).over("part").cast(pl.String)
    return rows.select(pl.concat_str(pl.col("part"), number, separator="-").alias("id")).to_series()


def _check_none_missing(column: pl.Series, place: object) -> None:
    empty = (column.is_null() | (column == "")).arg_true()
    if len(empty):
        rows = join_names(row + 1 for row in empty.to_list())
        fact = f"no id in column '{shorten_name(column.name)}' in row {rows}"
        raise AssayError(fact, place=place, hint="Fill them, or use {id} none for row numbers.")


def ids_restart(column: pl.Series, parts: pl.Series) -> bool:
    """Return whether ids are unique within each part, but not in the whole."""
    if column.n_unique() == len(column):
        return False
    return not pl.DataFrame([column.alias("id"), parts.fill_null("rest").alias("part")]).is_duplicated().any()


def _check_unique(column: pl.Series, place: object) -> None:
    if column.n_unique() == len(column):
        return
    repeated = column.filter(column.is_duplicated()).unique(maintain_order=True)
    raise AssayError(
        f"there are duplicate ids in column '{shorten_name(column.name)}': {list_names(repeated.to_list(), limit=5)}",
        place=place,
        hint="Name a column of unique ids with {id}, or use {id} none for row numbers.",
    )
