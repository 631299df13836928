"""Ids: the data's own as text, or row numbers."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError, join_names


def ids_of(column: pl.Series | None, in_part: pl.Series | None, n: int, place: str) -> pl.Series:
    """Return every row's id; without a column row numbers from 0, within a part's file after its name.

    >>> ids_of(None, pl.Series(["train", "train", "test"]), 3, "folder").to_list()
    ['train-0', 'train-1', 'test-0']
    """
    if column is not None:
        _refuse_missing(column, place)
        _refuse_duplicates(column, in_part, place)
        return column.alias("id")
    if in_part is None:
        return pl.int_range(n, eager=True).cast(pl.String).alias("id")
    rows = in_part.fill_null("rest").to_frame("part")
    within = pl.int_range(pl.len()).over("part").cast(pl.String)
    return rows.select(pl.concat_str(pl.col("part"), within, separator="-").alias("id")).to_series()


def _refuse_missing(column: pl.Series, place: str) -> None:
    empty = (column.is_null() | (column == "")).arg_true()
    if len(empty):
        rows = join_names(row + 1 for row in empty.to_list())
        raise AssayError(
            f"{place}: no id in column '{column.name}' in row {rows}. Fill them, or use --id none for row numbers."
        )


def _refuse_duplicates(column: pl.Series, in_part: pl.Series | None, place: str) -> None:
    if column.n_unique() == len(column):
        return
    counts = column.value_counts(sort=False).filter(pl.col("count") > 1)
    order = column.unique(maintain_order=True)
    twice = set(counts.to_series(0).to_list())
    shown = join_names(name for name in order.to_list() if name in twice)
    across = in_part is not None and not pl.DataFrame([column.alias("i"), in_part.alias("p")]).is_duplicated().any()
    where = " in several parts" if across else ""
    raise AssayError(
        f"{place}: duplicate ids in column '{column.name}'{where}: {shown}. "
        "Name a column of unique ids with --id, or use --id none for row numbers."
    )
