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
from assay.base.files import open_for_writing

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.data import Dataset
    from assay.evaluation import Predictions

BROWSE, ANSWERS, BLOCKS, SUMMARY = "browse.arrow", "answers.arrow", "blocks.arrow", "browse.json"
MAX_SYSTEMS = 1000
MAX_OPTIONS = 200  # values of a column that a filter offers
BLOCK_ROWS = 64  # items whose texts are searched at once
COPY_COLUMNS = ("copy", "near_copy", "conflicting")
SORTS = ("id", "part", "label", "proposal", "suspicion", "suggested", "n_systems_right", "item_discrimination")
SORTS += ("divergence", "information")
_PROPOSAL_RANKS = {"retire": 0, "repair": 1, "keep": 2}


def write_browse_files(folder: Path, audit: Audit, data: Dataset, predictions: Predictions | None) -> None:
    """Write the items with their texts (unless private) and partners, and the answers of the systems."""
    assert audit.items is not None
    is_private = audit.settings.private
    texts = pl.Series([None] * len(data), dtype=pl.String) if is_private else data.fill_texts().texts
    partners = pl.Series("partner", find_partners(data, audit.items), dtype=pl.Int64)
    write_table(folder, audit.items.with_columns(texts.alias("text"), partners))
    if predictions is not None and not is_private:
        write_arrow(folder / ANSWERS, tabulate_answers(data, predictions))


def write_table(folder: Path, items: pl.DataFrame) -> None:
    """Write the items with all that makes filters, searches and sorting fast."""
    bits = code_reasons(items["reasons"])
    text = pl.concat_str(pl.col("id"), pl.col("text").fill_null(""), separator="\n").str.to_lowercase()
    frame = items.with_columns(text.alias("search"), bits.alias("reason_bits"))
    orders = [pl.Series(f"order {name}", sort_rows(frame, name)) for name in SORTS]
    write_arrow(folder / BROWSE, frame.with_columns(orders))
    block = pl.int_range(pl.len()) // BLOCK_ROWS
    blocks = frame.group_by(block.alias("block"), maintain_order=True).agg(pl.col("search").str.join("\n"))
    write_arrow(folder / BLOCKS, blocks.select("search"))
    with open_for_writing(folder / SUMMARY) as file:
        json.dump(summarise_columns(frame), file)


def code_reasons(reasons: pl.Series) -> pl.Series:
    """Return the reasons of each item as bits, in the order of `REASONS`.

    >>> code_reasons(pl.Series(["", "repeats another item; every system is wrong"])).to_list()
    [0, 514]
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
    part = path.with_name(f"{path.name}.part")
    frame.rechunk().write_ipc(part, compression="uncompressed")
    part.replace(path)


def find_partners(data: Dataset, items: pl.DataFrame) -> Array:
    """Return the row of a copy of each flagged item, first of those in training; -1 where there is none.

    Exact copies come before near ones.
    """
    from assay.audits.benchmark import Benchmark

    flagged = items.select(
        flag=pl.any_horizontal(
            pl.col("leak").is_not_null(), *(pl.col(name).fill_null(value=False) for name in COPY_COLUMNS)
        )
    )["flag"].to_numpy()
    partners = np.full(len(data), -1, dtype=np.int64)
    if not flagged.any():
        return partners
    benchmark = Benchmark(data)
    is_train = np.zeros(len(data), bool)
    if data.parts is not None and benchmark.reference_part is not None:
        is_train = (data.parts == benchmark.reference_part).fill_null(value=False).to_numpy()
    for groups in (benchmark.exact_groups, benchmark.near_groups):
        missing = flagged & (partners < 0)
        partners[missing] = choose_partners(np.asarray(groups), is_train)[missing]
    return partners


def choose_partners(groups: Array, is_train: Array) -> Array:
    """Return for each row another row of its group, one in training if there is any; -1 where it is alone.

    >>> choose_partners(np.array([0, 1, 0, 0]), np.array([False, False, False, True])).tolist()
    [3, -1, 3, 0]
    """
    order = np.lexsort((np.arange(len(groups)), ~is_train, groups))  # by group, training first
    ordered = groups[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(groups) else np.array([], int)
    sizes = np.diff(np.r_[starts, len(groups)])
    first = np.repeat(order[starts], sizes)
    second = np.repeat(np.where(sizes > 1, order[np.minimum(starts + 1, len(groups) - 1)], -1), sizes)
    partners = np.full(len(groups), -1, dtype=np.int64)
    partners[order] = np.where(first == order, second, np.where(np.repeat(sizes, sizes) > 1, first, -1))
    return partners


def tabulate_answers(data: Dataset, predictions: Predictions) -> pl.DataFrame:
    """Return one row per item and two columns per system: its answer, and whether it is right.

    Columns are numbered, since names of systems can be anything; `audit.json` has the names in the same order.
    """
    place = {name: row for row, name in enumerate(data.ids.to_list())}
    rows = np.array([place.get(str(name), -1) for name in predictions.ids.tolist()])
    known = rows >= 0
    columns: dict[str, pl.Series] = {}
    for number, name in enumerate(predictions.names[:MAX_SYSTEMS]):
        answers = predictions.systems[name]
        cells: list[str | None] = [None] * len(data)
        right: list[bool | None] = [None] * len(data)
        values = answers.predicted if answers.predicted is not None else answers.outcomes
        gold = predictions.gold
        for index in np.flatnonzero(known).tolist():
            value = None if values is None else values[index]
            if value is None or (isinstance(value, float) and np.isnan(value)):
                continue
            cells[rows[index]] = str(value)
            if answers.predicted is not None and gold is not None and gold[index] is not None:
                right[rows[index]] = bool(str(value) == str(gold[index]))
            elif answers.predicted is None:
                right[rows[index]] = bool(float(value) >= 0.5)
        columns[f"answer-{number}"] = pl.Series(cells, dtype=pl.String)
        columns[f"right-{number}"] = pl.Series(right, dtype=pl.Boolean)
    return pl.DataFrame(columns)


def map_arrow(path: Path) -> pl.DataFrame:
    """Return the frame of an uncompressed Arrow file, mapped into memory and not read."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as source:
        frame = pl.from_arrow(pa.ipc.open_file(source).read_all())
    assert isinstance(frame, pl.DataFrame)
    return frame
