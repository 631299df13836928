"""Write the files that the table of items reads: one row per item, and the answers of the systems.

They are uncompressed Arrow files, so that the server maps them into memory and reads only what a page shows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.report.items.index import tabulate_responses
from assay.responses.listing import EXCERPT_SCHEMA
from assay.system.files import open_for_writing, open_temporary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.audits import Audit
    from assay.audits.details import ItemDetails
    from assay.data import Dataset
    from assay.evaluation import Predictions

BROWSE, ANSWERS, BLOCKS, SUMMARY = "browse.arrow", "answers.arrow", "blocks.arrow", "browse.json"
FLAGGED = "flagged.arrow"
RESPONSES = "responses.arrow"
MAX_SYSTEMS = 1000
MAX_OPTIONS = 200  # values of a column that a filter offers
MAX_CATEGORIES = 8  # columns of the file by which items can be grouped
MAX_CATEGORY_VALUES = 200
MAX_CATEGORY_LENGTH = 60  # characters of a value, on average
BLOCK_ROWS = 64  # items whose texts are searched at once
SORTS = (
    *("id", "part", "label", "proposal", "suspicion", "suggested", "n_systems_right", "item_discrimination"),
    *("divergence", "information"),
)
LONG_SORTS = ("text", "reasons")  # which tables of earlier versions do not have
_SCHEMAS = {
    FLAGGED: {"anchor": pl.String(), "rows": pl.List(pl.UInt32)},
    BLOCKS: {"search": pl.String()},
    RESPONSES: dict(EXCERPT_SCHEMA),
}
_TEXTS = ("id", "search", "text", "gold", "part", "label", "proposal", "reasons", "answer", "category")
_NUMBERS = ("suspicion", "n_systems_right", "partner", "score")
_PROPOSAL_RANKS = {"retire": 0, "repair": 1, "keep": 2}


def write_browse_files(folder: Path, audit: Audit, data: Dataset | None = None) -> None:
    """Write the items with their texts (unless private), gold and partners, and the answers of the systems.

    `data` adds the columns by which items can be grouped, such as their subject.
    """
    items, details = audit.items, audit.details
    assert items is not None
    assert details is not None
    empty = pl.Series([None] * len(items), dtype=pl.String)
    texts, gold = (empty if values is None else values.cast(pl.String) for values in (details.texts, details.gold))
    if not details.has_labels:
        gold = pl.Series(details.write_answers(gold.to_list(), texts.to_list()), dtype=pl.String)
    categories = {} if data is None or len(data) != len(items) else find_categories(data, private=details.private)
    table = items.with_columns(texts.alias("text"), gold.alias("gold"), find_partners(items))
    write_table(folder, table, categories)
    if details.predictions is not None:
        write_arrow(folder / ANSWERS, tabulate_answers(details.predictions, details))
    responses = tabulate_responses(audit)
    if responses is not None:
        write_arrow(folder / RESPONSES, responses)


def find_categories(data: Dataset, *, private: bool = False) -> dict[str, pl.Series]:
    """Return the columns by which items can be grouped: the groups of the data, and columns of the file with few values.

    Roles such as the label are columns of the table anyway. Private audits keep the groups only, which people chose.

    >>> from assay.kinds import read
    >>> texts = {"text": list("abcdef"), "label": list("xyxyxy"), "subject": ["law", "art"] * 3, "note": list("ghijkl")}
    >>> list(find_categories(read(texts)))
    ['subject']
    """
    found = {} if data.groups is None else {"group": data.groups.cast(pl.String)}
    known = [column for column in (*data.sides, data.labels, data.parts, data.ids, data.groups) if column is not None]
    for name in () if private else data.frame.columns:
        column = data.frame[name].cast(pl.String)
        n_values = column.drop_nulls().n_unique()
        is_short = column.str.len_chars().sum() <= MAX_CATEGORY_LENGTH * len(column)
        is_few = 2 <= n_values <= MAX_CATEGORY_VALUES and 2 * n_values <= len(column)
        if is_few and is_short and not any(column.equals(each.cast(pl.String)) for each in known):
            found.setdefault(name, column)
    return dict(list(found.items())[:MAX_CATEGORIES])


def find_partners(items: pl.DataFrame) -> pl.Series:
    """Return the row of the item that each one copies, or else of the nearest one; -1 if there is none."""
    rows = items.select(pl.col("id").alias("partner_id"), pl.int_range(pl.len()).alias("partner"))
    partner = items.select(pl.coalesce("copy_of", "nearest").alias("partner_id"))
    joined = partner.join(rows.unique("partner_id", keep="first"), on="partner_id", how="left", maintain_order="left")
    return joined["partner"].fill_null(-1).cast(pl.Int64)


def write_flagged(folder: Path, flagged: Mapping[str, Array]) -> None:
    """Write the rows of the items of each finding, by the anchor of the finding."""
    rows = [np.asarray(numbers, dtype=np.uint32).tolist() for numbers in flagged.values()]
    frame = pl.DataFrame(
        {"anchor": list(flagged), "rows": rows}, schema={"anchor": pl.String, "rows": pl.List(pl.UInt32)}
    )
    write_arrow(folder / FLAGGED, frame)


def write_table(folder: Path, items: pl.DataFrame, categories: Mapping[str, pl.Series] | None = None) -> None:
    """Write the items with all that makes filters, searches and sorting fast; columns of users are numbered."""
    categories = categories or {}
    items = items.with_columns(column.alias(f"category-{n}") for n, column in enumerate(categories.values()))
    bits = code_reasons(items["reasons"])
    text = pl.concat_str(pl.col("id"), pl.col("text").fill_null(""), separator="\n").str.to_lowercase()
    frame = items.with_columns(text.alias("search"), bits.alias("reason_bits"))
    extra = [name for name in frame.columns if name in LONG_SORTS or name.startswith("category-")]
    orders = [pl.Series(f"order {name}", sort_rows(frame, name)) for name in dict.fromkeys((*SORTS, *extra))]
    write_arrow(folder / BROWSE, frame.with_columns(orders))
    block = pl.int_range(pl.len()) // BLOCK_ROWS
    blocks = frame.group_by(block.alias("block"), maintain_order=True).agg(pl.col("search").str.join("\n"))
    write_arrow(folder / BLOCKS, blocks.select("search"))
    with open_for_writing(folder / SUMMARY) as file:
        json.dump({**summarise_columns(frame), "categories": list(categories)}, file)


def code_reasons(reasons: pl.Series) -> pl.Series:
    """Return the reasons of each item as bits, in the order of `REASONS`.

    >>> codes = code_reasons(pl.Series(["", "repeats another item; every system is wrong"]))
    >>> [code.bit_count() for code in codes]
    [0, 2]
    """
    from assay.audits.items import REASONS

    distinct = reasons.fill_null("").unique()
    numbers = {reason.text: 1 << number for number, reason in enumerate(REASONS)}
    codes = [sum(numbers.get(text, 0) for text in value.split("; ")) for value in distinct.to_list()]
    return reasons.fill_null("").replace_strict(distinct, codes, return_dtype=pl.UInt32)


def summarise_columns(frame: pl.DataFrame) -> dict[str, list[tuple[str, int]]]:
    """Return the values of part, label and proposal, and the reasons, each with its count."""
    from assay.audits.items import REASONS

    summary = {}
    for name in ("part", "label", "proposal"):
        counts = frame[name].drop_nulls().value_counts(sort=True).rows()
        summary[name] = [(str(value), int(n)) for value, n in counts[:MAX_OPTIONS]]
    bits = frame["reason_bits"].to_numpy()
    counts = [(reason.text, int(((bits >> number) & 1).sum())) for number, reason in enumerate(REASONS)]
    return {**summary, "reasons": [(text, n) for text, n in counts if n]}


def sort_rows(frame: pl.DataFrame, name: str) -> Array:
    """Return the rows sorted by a column; missing values come last, and equal ones in the order of the data."""
    if name not in frame.columns:
        return np.arange(frame.height, dtype=np.uint32)
    if name == "proposal":  # what to change first, the most suspicious on top
        rank = pl.col("proposal").replace_strict(_PROPOSAL_RANKS, default=3, return_dtype=pl.Int8)
        keys = frame.select(rank=rank, doubt=-pl.col("suspicion").fill_null(0.0).fill_nan(0.0))
        return np.lexsort((keys["doubt"].to_numpy(), keys["rank"].to_numpy())).astype(np.uint32)
    order = frame.select(pl.col(name)).with_row_index("row").sort(name, nulls_last=True, maintain_order=True)["row"]
    return order.to_numpy().astype(np.uint32)


def write_arrow(path: Path, frame: pl.DataFrame) -> None:
    """Write a frame as one uncompressed batch, completely or not at all."""
    with open_temporary(path) as temporary:
        frame.rechunk().write_ipc(temporary, compression="uncompressed")


def tabulate_answers(predictions: Predictions, details: ItemDetails) -> pl.DataFrame:
    """Return one row per item and two columns per system: its answer, and its score (1 right, 0 wrong).

    Columns are numbered, since names of systems can be anything; `audit.json` has the names in the same order.
    """
    scores = predictions.outcomes()
    places = pl.Series(details.places, dtype=pl.Int64)
    places = places.set(places < 0, None)
    columns: dict[str, pl.Series] = {}
    is_hidden = details.private and not details.has_labels
    texts = [] if details.has_labels or details.texts is None else details.texts.to_list()
    for number, answers in enumerate([*predictions.systems.values()][:MAX_SYSTEMS]):
        given = [] if answers.predicted is None or is_hidden else answers.predicted.tolist()
        cells = [None if cell is None else str(cell) for cell in given] or [None] * len(predictions)
        column = pl.Series(cells, dtype=pl.String).gather(places)
        columns[f"answer-{number}"] = (
            pl.Series(details.write_answers(column.to_list(), texts), dtype=pl.String) if texts else column
        )
        columns[f"score-{number}"] = pl.Series(scores[number], dtype=pl.Float64).fill_nan(None).gather(places)
    return pl.DataFrame(columns)


def map_arrow(path: Path) -> pl.DataFrame | None:
    """Return the frame of an uncompressed Arrow file, mapped into memory and not read; None if missing or damaged."""
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)  # polars would panic, which no page could catch
        frame = pl.from_arrow(table)
    except (OSError, ValueError, pa.ArrowException, pl.exceptions.PolarsError):
        return None
    return frame if isinstance(frame, pl.DataFrame) and _has_our_columns(frame, path.name) else None


def _has_our_columns(frame: pl.DataFrame, file: str) -> bool:
    """Return True if the columns of a file have the types that the page reads, and all orders are of rows."""
    if file in _SCHEMAS:
        return dict(frame.schema) == _SCHEMAS[file]
    return all(_has_our_type(frame[name]) for name in frame.columns)


def _has_our_type(column: pl.Series) -> bool:
    kind = column.name.partition("-")[0]
    if kind.startswith("order "):
        return column.dtype == pl.UInt32 and not column.has_nulls() and (column < len(column)).all()
    if kind == "reason_bits":
        return column.dtype == pl.UInt32 and not column.has_nulls()
    if column.dtype == pl.Null:
        return True
    if kind in _TEXTS:
        return column.dtype == pl.String
    return column.dtype.is_numeric() or (kind not in _NUMBERS and column.dtype in (pl.String, pl.Boolean))
