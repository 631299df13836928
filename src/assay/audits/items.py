"""One row an item: all that the rooms know of it, what speaks against it, and what to do with it."""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.base.codec import to_plain
from assay.data import Dataset

MOST_ROWS = 500
MOST_CHARACTERS = 300
KEEP, REPAIR, RETIRE = "keep", "repair", "retire"

COLUMNS: dict[Any, Any] = {
    "leak": pl.String,
    "copy": pl.Boolean,
    "near_copy": pl.Boolean,
    "conflicting": pl.Boolean,
    "divergence": pl.Float64,
    "nearest_distance": pl.Float64,
    "case": pl.String,
    "pvi": pl.Float64,
    "shortcut_solvable": pl.Boolean,
    "suspected_label": pl.String,
    "label_doubt": pl.Float64,
    "item_difficulty": pl.Float64,
    "item_discrimination": pl.Float64,
    "n_systems_right": pl.Float64,
    "n_systems": pl.Int64,
    "backwards": pl.Boolean,
    "outvoted": pl.Boolean,
}
ALL_RIGHT = (pl.col("n_systems") >= 3) & (pl.col("n_systems_right") == pl.col("n_systems"))
ALL_WRONG = (pl.col("n_systems") >= 3) & (pl.col("n_systems_right") == 0)
EASY = pl.col("shortcut_solvable").fill_null(value=False) & ALL_RIGHT.fill_null(value=False)

# What speaks against an item, what it is called, and what it asks for.
CAUSES: list[tuple[str, pl.Expr, str]] = [
    ("stands in train", pl.col("leak") == "exact", RETIRE),
    ("repeats another item", pl.col("copy"), RETIRE),
    ("solved by shortcuts and by every system", EASY, RETIRE),
    ("nearly stands in train", pl.col("leak") == "near", REPAIR),
    ("a copy has another label", pl.col("conflicting"), REPAIR),
    ("doubtful label", pl.col("suspected_label").is_not_null(), REPAIR),
    ("runs backwards", pl.col("backwards"), REPAIR),
    ("the systems contradict the key", pl.col("outvoted"), REPAIR),
    ("solved by shortcuts", pl.col("shortcut_solvable") & ~EASY, KEEP),
    ("every system is right", ALL_RIGHT & ~EASY, KEEP),
    ("every system is wrong", ALL_WRONG, KEEP),
]


def item_table(data: Dataset, frames: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Join what the sections say of single items, in the order of the data, with causes and a proposal."""
    table = pl.DataFrame({"id": data.ids})
    for role in ("parts", "labels"):
        values = getattr(data, role)
        empty = pl.Series([None] * len(data), dtype=pl.String)
        table = table.with_columns((empty if values is None else values).alias(role.removesuffix("s")))
    for frame in frames.values():
        table = table.join(frame, on="id", how="left", maintain_order="left")
    missing = [pl.lit(None, kind).alias(name) for name, kind in COLUMNS.items() if name not in table.columns]
    table = table.with_columns(missing).select("id", "part", "label", *COLUMNS).cast(COLUMNS)
    return judged(table)


def judged(table: pl.DataFrame) -> pl.DataFrame:
    """Add `causes` (separated by semicolons) and `proposal`: keep, repair or retire."""
    marks = {name: mark.fill_null(value=False) for name, mark, _ in CAUSES}
    told = [pl.when(mark).then(pl.lit(name)) for name, mark in marks.items()]
    asks = {wish: pl.any_horizontal(*(marks[n] for n, _, w in CAUSES if w == wish)) for wish in (RETIRE, REPAIR)}
    proposal = (
        pl.when(asks[RETIRE]).then(pl.lit(RETIRE)).when(asks[REPAIR]).then(pl.lit(REPAIR)).otherwise(pl.lit(KEEP))
    )
    return table.with_columns(
        causes=pl.concat_str(told, separator="; ", ignore_nulls=True),
        proposal=proposal,
    )


def summary(table: pl.DataFrame) -> dict[str, int]:
    """Count the proposals."""
    counts = dict(table["proposal"].value_counts().iter_rows())
    return {wish: int(counts.get(wish, 0)) for wish in (KEEP, REPAIR, RETIRE)}


def top_rows(table: pl.DataFrame, texts: pl.Series | None) -> list[dict[str, Any]]:
    """Return at most 500 rows, those with most against them first, with their texts cut short where given."""
    weight = pl.col("proposal").replace_strict({RETIRE: 0, REPAIR: 1, KEEP: 2}, return_dtype=pl.Int64)
    several = -pl.col("causes").str.count_matches("; ").cast(pl.Int64)
    named = pl.col("causes") == ""
    order = table.with_row_index("row").with_columns(weight=weight, named=named, several=several)
    chosen = order.sort("weight", "named", "several", "row").head(MOST_ROWS)
    rows: list[dict[str, Any]] = to_plain(chosen.drop("row", "weight", "named", "several"))
    if texts is not None:
        for row, number in zip(rows, chosen["row"].to_list(), strict=True):
            row["text"] = cut(texts[number])
    return rows


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return the beginning of a text.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"
