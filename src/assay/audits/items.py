"""The table of items: what the sections know about each item, what speaks against it, and what to do with it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from assay.base.marks import NAME, OWN, TEXT
from assay.suspects.results import MIN_SUSPICION
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.data import Dataset

MAX_ROWS = 500
MAX_CHARACTERS = 300
MIN_SYSTEMS = 3
Proposal = Literal["keep", "repair", "retire"]
PROPOSALS: tuple[Proposal, ...] = ("keep", "repair", "retire")


@dataclass(frozen=True)
class ItemCounts(Result):
    """How many items to keep, repair and retire."""

    keep: int
    repair: int
    retire: int

    @property
    def total(self) -> int:
        """Return the number of items."""
        return self.keep + self.repair + self.retire


@dataclass(frozen=True)
class ItemRow(Result):
    """The columns of the item table of an audit."""

    id: str = field(metadata=NAME)
    part: str | None = field(metadata=NAME)
    label: str | None = field(metadata=NAME)
    proposal: Proposal
    reasons: str = field(metadata=OWN)
    leak: Literal["exact", "near"] | None = None
    copy: bool | None = None
    near_copy: bool | None = None
    conflicting: bool | None = None
    copy_of: str | None = field(default=None, metadata=NAME)
    divergence: float | None = None
    nearest_distance: float | None = None
    nearest: str | None = field(default=None, metadata=NAME)
    case: Literal["obvious", "non-obvious"] | None = None
    information: float | None = None
    shortcut_solvable: bool | None = None
    suggested: str | None = field(default=None, metadata=NAME)
    suspicion: float | None = None
    item_difficulty: float | None = None
    item_discrimination: float | None = None
    n_systems_right: float | None = None
    n_systems: int | None = None
    negative_discrimination: bool | None = None
    doubts: str | None = field(default=None, metadata=NAME)
    contamination: float | None = None
    text: str | None = field(default=None, metadata=TEXT)


_TYPES: dict[str, Any] = {
    "leak": pl.String,
    "copy": pl.Boolean,
    "near_copy": pl.Boolean,
    "conflicting": pl.Boolean,
    "copy_of": pl.String,
    "divergence": pl.Float64,
    "nearest_distance": pl.Float64,
    "nearest": pl.String,
    "case": pl.String,
    "information": pl.Float64,
    "shortcut_solvable": pl.Boolean,
    "suggested": pl.String,
    "suspicion": pl.Float64,
    "item_difficulty": pl.Float64,
    "item_discrimination": pl.Float64,
    "n_systems_right": pl.Float64,
    "n_systems": pl.Int64,
    "negative_discrimination": pl.Boolean,
    "doubts": pl.String,
    "contamination": pl.Float64,
}
_ENOUGH_SYSTEMS = pl.col("n_systems") >= MIN_SYSTEMS
_ALL_RIGHT = _ENOUGH_SYSTEMS & (pl.col("n_systems_right") == pl.col("n_systems"))
_ALL_WRONG = _ENOUGH_SYSTEMS & (pl.col("n_systems_right") == 0)
_TRIVIAL = pl.col("shortcut_solvable").fill_null(value=False) & _ALL_RIGHT.fill_null(value=False)


@dataclass(frozen=True)
class Reason:
    """Something that speaks against an item, and what it calls for."""

    text: str
    condition: pl.Expr
    proposal: Proposal


REASONS = (
    Reason("also in training", pl.col("leak") == "exact", "retire"),
    Reason("in the training corpus", pl.col("contamination") > 0, "retire"),
    Reason("repeats another item", pl.col("copy") & ~pl.col("conflicting"), "retire"),
    Reason("solved by shortcuts and by every system", _TRIVIAL, "retire"),
    Reason("nearly the same as a training item", pl.col("leak") == "near", "repair"),
    Reason("a copy has a different label", pl.col("conflicting"), "repair"),
    Reason("probably a wrong gold label or a bad item", pl.col("suspicion") >= MIN_SUSPICION, "repair"),
    Reason("negative discrimination", pl.col("negative_discrimination"), "keep"),
    Reason("solved by shortcuts", pl.col("shortcut_solvable") & ~_TRIVIAL, "keep"),
    Reason("every system is right", _ALL_RIGHT & ~_TRIVIAL, "keep"),
    Reason("every system is wrong", _ALL_WRONG, "keep"),
)


def build_item_table(data: Dataset, frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Join what the sections know about single items, in the order of the data, with reasons and a proposal."""
    table = pl.DataFrame({"id": data.ids})
    for name, values in (("part", data.parts), ("label", data.labels)):
        column = pl.Series([None] * len(data), dtype=pl.String) if values is None else values
        table = table.with_columns(column.alias(name))
    for frame in frames:
        if frame["id"].equals(data.ids):
            table = table.hstack(frame.drop("id"))
        else:
            table = table.join(frame, on="id", how="left", maintain_order="left")
    for name in ("suggested", "suspicion", "doubts"):  # of all evidence, else of the systems' answers alone
        known = [column for column in (name, f"vote_{name}") if column in table.columns]
        table = table.with_columns(pl.coalesce(known).alias(name)) if known else table
    missing = [pl.lit(None, kind).alias(name) for name, kind in _TYPES.items() if name not in table.columns]
    columns = [pl.col(name).cast(kind) for name, kind in _TYPES.items()]
    extra = ["copy_label"] if "copy_label" in table.columns else []
    table = _add_proposals(table.with_columns(missing).select("id", "part", "label", *columns, *extra))
    if extra:  # copies with different labels: the label that most of them have
        differs = pl.col("conflicting") & (pl.col("copy_label") != pl.col("label"))
        suggestion = pl.coalesce("suggested", pl.when(differs).then(pl.col("copy_label")))
        table = table.with_columns(suggested=suggestion).drop("copy_label")
    return table


def _add_proposals(table: pl.DataFrame) -> pl.DataFrame:
    """Add `reasons` (separated by semicolons) and `proposal`: keep, repair or retire."""
    conditions = [(reason, reason.condition.fill_null(value=False)) for reason in REASONS]
    texts = [pl.when(condition).then(pl.lit(reason.text)) for reason, condition in conditions]

    def calls_for(proposal: Proposal) -> pl.Expr:
        return pl.any_horizontal(*(condition for reason, condition in conditions if reason.proposal == proposal))

    proposal = pl.when(calls_for("retire")).then(pl.lit("retire")).when(calls_for("repair")).then(pl.lit("repair"))
    return table.with_columns(
        reasons=pl.concat_str(texts, separator="; ", ignore_nulls=True),
        proposal=proposal.otherwise(pl.lit("keep")),
    )


def count_proposals(table: pl.DataFrame) -> ItemCounts:
    """Count the proposals."""
    counts = dict(table["proposal"].value_counts().iter_rows())
    return ItemCounts(**{proposal: int(counts.get(proposal, 0)) for proposal in PROPOSALS})


def top_rows(table: pl.DataFrame, texts: pl.Series | None) -> tuple[ItemRow, ...]:
    """Return at most 500 rows, those with most against them first, with the beginning of their texts if given."""
    rows = list_ordered_rows(table).head(MAX_ROWS)
    chosen = table[rows]
    names = [column.name for column in fields(ItemRow) if column.name != "text"]
    items = chosen.select(names).to_dicts()
    if texts is None:
        return tuple(ItemRow(**item) for item in items)
    beginnings = [shorten(texts[number]) for number in rows.to_list()]
    return tuple(ItemRow(**item, text=text) for item, text in zip(items, beginnings, strict=True))


def list_ordered_rows(table: pl.DataFrame) -> pl.Series:
    """Return the row numbers of the items, sorted by what speaks against them."""
    rank = pl.col("proposal").replace_strict({"retire": 0, "repair": 1, "keep": 2}, return_dtype=pl.Int64)
    n_reasons = pl.col("reasons").str.count_matches("; ").cast(pl.Int64)
    keys = table.select(
        rank.cast(pl.Int8).alias("rank"), (pl.col("reasons") == "").alias("none"), (-n_reasons).alias("n")
    )
    return keys.with_row_index("row").sort("rank", "none", "n", "row", maintain_order=True)["row"]


def shorten(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Return the beginning of a text.

    >>> shorten("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"
