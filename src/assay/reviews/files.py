"""The table that people fill in: written for spreadsheets, and read back with checks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.reviews.planning import digest_items
from assay.reviews.results import ReviewPlan
from assay.reviews.verdicts import describe_ids, parse_verdict
from assay.wording.sentences import choose_verb, count_noun

COLUMNS = ("id", "draw_probability", "label", "suggested", "reasons")
FILLED_IN = ("verdict", "right_label")
NEEDED = ("id", "draw_probability", "verdict")
SPREADSHEETS = (".xlsx", ".xls", ".ods")
DIGITS = 10  # of probabilities, significant
_TOLERANCE = 1e-3  # of two probabilities of one item
_ROUNDING = 5e-6  # of probabilities that a spreadsheet writes with six digits


@dataclass(frozen=True)
class ReviewRows:
    """The rows of a plan, one per drawn item: row of the data, batch, probability, verdicts and right label.

    Items are in the order of the file. `ratings` has the verdicts of one or several reviewers, True for bad. `changed`
    names the items whose texts are not those of the plan: their verdicts are left out.
    """

    rows: Array
    batches: Array
    probabilities: Array
    ratings: list[list[bool]]
    raters: list[list[str]]
    right_labels: list[str | None]
    table: pl.DataFrame
    place: str
    changed: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)


def write_plan(path: str | Path, plan: pl.DataFrame) -> None:
    """Write a plan as TSV, or as CSV or Parquet by the end of its name.

    TSV has no quotes; tabs and line breaks become spaces. Texts that a spreadsheet would take for a formula or a quoted
    cell begin with an apostrophe.
    """
    from assay.system.files import open_for_writing, write_bytes

    suffix = Path(path).suffix.lower()
    if suffix in SPREADSHEETS:
        hint = "Write .csv, which every spreadsheet opens."
        raise AssayError(f"a plan is not written as {suffix}", place=str(path), hint=hint)
    table = plan.with_columns(pl.col("draw_probability").round_sig_figs(DIGITS))
    if suffix == ".parquet":
        buffer = io.BytesIO()
        table.write_parquet(buffer)
        write_bytes(path, buffer.getvalue())
        return
    texts = [
        name for name in table.columns if name not in ("id", "label", *FILLED_IN) and table[name].dtype == pl.String
    ]
    table = table.with_columns(
        pl.when(pl.col(name).str.contains(r"""^(["=@]|[+-][^\d\s])"""))
        .then("'" + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
    with open_for_writing(path) as file:
        if suffix == ".csv":
            file.write(table.write_csv(null_value=""))
        else:
            table = table.with_columns(pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " "))
            file.write(table.write_csv(separator="\t", quote_style="never", null_value=""))


def read_reviews(sources: Any, data: Dataset) -> ReviewRows:
    """Read one or several filled-in plans, of one reviewer each or with a column `reviewer`, and check them."""
    listed = sources if isinstance(sources, list | tuple) else [sources]
    if not listed:
        raise AssayError("There are no reviews.", hint="Give the file that assay review plan wrote.")
    tables = [_read_table(source, number, len(listed)) for number, source in enumerate(listed, start=1)]
    place = str(tables[0]["place"][0]) if len(tables[0]) else "reviews"
    table = pl.concat([each.select(tables[0].columns) for each in tables]) if len(tables) > 1 else tables[0]
    _check_ids(table, data, place)
    table = table.sort("batch", maintain_order=True)
    first = table.unique("id", keep="first", maintain_order=True)
    _check_agreement(table, first, place)
    numbers = pl.DataFrame({"id": data.ids, "row": np.arange(len(data))})
    items = first.join(numbers, on="id", how="left", maintain_order="left")
    _check_labels(items, data, place)
    changed = _find_changed(items, data)
    table = table.with_columns(
        pl.when(~pl.col("id").is_in(changed)).then(pl.col(name)).alias(name) for name in FILLED_IN
    )
    ratings, raters = _collect_ratings(table, first["id"].to_list(), place, changed)
    rows = ReviewRows(
        rows=items["row"].to_numpy(),
        batches=items["batch"].to_numpy() - 1,
        probabilities=items["draw_probability"].to_numpy(),
        ratings=ratings,
        raters=raters,
        right_labels=_collect_labels(table, first["id"].to_list(), place),
        table=table,
        place=place,
        changed=tuple(changed),
    )
    _check_batches(rows, len(data))
    return rows


def _read_table(source: Any, number: int, n_sources: int) -> pl.DataFrame:
    from assay.data.readers.frames import read_frame

    if isinstance(source, ReviewPlan):
        source = source.to_frame()
    frame, place = read_frame(source, "reviews")
    names = (*NEEDED, *COLUMNS, *FILLED_IN, "reviewer", "batch", "digest")
    plain = {name: name.strip().strip('"').strip().lower() for name in frame.columns}
    frame = frame.rename({name: known for name, known in plain.items() if known in names})
    for name in NEEDED:
        if name not in frame.columns:
            hint = "Use the file that assay review plan wrote."
            raise AssayError(f"there is no column '{name}'", place=place, hint=hint)
    optional = ("label", "right_label", "reviewer", "batch", "digest")
    cells = frame.with_columns(pl.lit(None, pl.String).alias(name) for name in optional if name not in frame.columns)
    cells = cells.select(_unquote(pl.col(name)).alias(name) for name in (*NEEDED, *optional))
    cells = cells.filter(~pl.all_horizontal(pl.col(name).is_null() for name in NEEDED))  # empty rows at the end
    name = f"reviewer {number}" if n_sources > 1 else "reviewer"
    return cells.with_columns(
        draw_probability=_read_probabilities(cells, place),
        batch=_read_batches(cells, place),
        reviewer=pl.col("reviewer").fill_null(name),
        place=pl.lit(place),
    )


def _unquote(column: pl.Expr) -> pl.Expr:
    """Remove the quotes that a spreadsheet puts around cells, and white space; an empty cell becomes null."""
    cell = column.cast(pl.String).str.strip_chars()
    inner = cell.str.strip_prefix('"').str.strip_suffix('"').str.replace_all('""', '"', literal=True)
    cell = pl.when(cell.str.contains(r'(?s)^".*"$') & (cell.str.len_chars() > 1)).then(inner).otherwise(cell)
    return pl.when(cell != "").then(cell)


def _read_probabilities(table: pl.DataFrame, place: str) -> pl.Series:
    texts = table["draw_probability"].str.replace(",", ".", literal=True)
    numbers = texts.cast(pl.Float64, strict=False)
    wrong = table.filter(numbers.is_null() | numbers.is_nan() | (numbers <= 0) | (numbers > 1))
    if len(wrong):
        cell = wrong["draw_probability"][0] or ""
        raise AssayError(
            f"the draw probability '{cell}' of item '{wrong['id'][0]}' is not between 0 and 1", place=place
        )
    return numbers


def _read_batches(table: pl.DataFrame, place: str) -> pl.Series:
    numbers = table["batch"].fill_null("1").cast(pl.Float64, strict=False).cast(pl.Int64, strict=False)
    known = sorted(numbers.unique().to_list(), key=lambda number: -1 if number is None else number)
    if known and known != list(range(1, len(known) + 1)):
        raise AssayError(f"the batches are {known}, not 1, 2, 3 and so on", place=place)
    return numbers


def _check_ids(table: pl.DataFrame, data: Dataset, place: str) -> None:
    if not len(table):
        raise AssayError("there are no rows", place=place)
    if table["id"].null_count():
        raise AssayError("a row has no id", place=place, hint="Every row needs the id that assay review plan wrote.")
    known = table["id"].is_in(data.ids.implode())
    if not known.all():
        unknown = table.filter(~known)["id"].unique(maintain_order=True).to_list()
        count = f"{count_noun(len(unknown), 'id')} {choose_verb(len(unknown), 'is', 'are')}"
        fact = f"{count} not in the data ({describe_ids(unknown)})"
        raise AssayError(fact, place=place, hint="Review and estimate with the same data.")
    repeated = table.filter(table.select("id", "reviewer").is_duplicated())
    if len(repeated):
        hint = "Verdicts of a second reviewer need a column 'reviewer'."
        raise AssayError(f"item '{repeated['id'][0]}' is listed twice", place=place, hint=hint)


def _check_agreement(table: pl.DataFrame, first: pl.DataFrame, place: str) -> None:
    """Check that all rows of an item have the same probability and batch."""
    columns = ("draw_probability", "batch")
    both = table.select("id", *columns).join(first.select("id", *columns), on="id", suffix="_first")
    gap = (both["draw_probability"] - both["draw_probability_first"]).abs() / both["draw_probability_first"]
    wrong = both.filter((gap > _TOLERANCE) | (both["batch"] != both["batch_first"]))
    if len(wrong):
        hint = "Give files that were filled in from the same plan."
        raise AssayError(f"item '{wrong['id'][0]}' has two different draw probabilities", place=place, hint=hint)


def _check_labels(items: pl.DataFrame, data: Dataset, place: str) -> None:
    """Check that the gold labels of the file equal those in the data."""
    from assay.suspects.items import find_gold

    gold = find_gold(data)
    if gold is None:
        return
    labels = gold.gather(items["row"]).cast(pl.String).str.replace_all(r"\s+", " ").str.strip_chars()
    given = items["label"].str.replace_all(r"\s+", " ").str.strip_chars()
    wrong = items.filter(
        given.is_not_null() & labels.is_not_null() & (given != labels) & ~_equal_numbers(given, labels)
    )
    if len(wrong):
        hint = "Write corrections into the column 'right_label', and use the data of the plan."
        raise AssayError(f"the label of item '{wrong['id'][0]}' is not the one of the data", place=place, hint=hint)


def _find_changed(items: pl.DataFrame, data: Dataset) -> list[str]:
    """Return the ids of items whose label or texts are not those of the plan; an empty digest is not compared."""
    from assay.suspects.items import find_gold

    if items["digest"].null_count() == len(items):
        return []
    rows, gold = items["row"], find_gold(data)
    labels = pl.Series([None] * len(rows), dtype=pl.String) if gold is None else gold.gather(rows)
    digests = digest_items(data.take(rows.to_numpy()), labels)
    return items.filter(items["digest"].is_not_null() & (items["digest"] != digests))["id"].to_list()


def describe_changed(changed: Sequence[str]) -> str:
    """Say which items changed after the plan, and what to do about it."""
    n = len(changed)
    return (
        f"{count_noun(n, 'item')} changed after the plan was made ({describe_ids(changed)}): "
        f"{choose_verb(n, 'its verdict is', 'their verdicts are')} not used. Review {choose_verb(n, 'it', 'them')} again "
        f"and empty {choose_verb(n, 'the cell', 'the cells')} in the column 'digest', or use the data of the plan."
    )


def _equal_numbers(left: pl.Series, right: pl.Series) -> pl.Series:
    """Return which cells are the same number, as in 1 and 1.0."""
    numbers = [side.cast(pl.Float64, strict=False) for side in (left, right)]
    return (numbers[0] == numbers[1]).fill_null(value=False)


def _check_batches(rows: ReviewRows, n_items: int) -> None:
    """Check that the probabilities of every batch add up to the items that were left to draw from."""
    for batch in range(int(rows.batches.max()) + 1):
        chosen = rows.batches == batch
        n_left = n_items - int((rows.batches < batch).sum())
        total = float((1 / rows.probabilities[chosen]).sum())
        if abs(total - n_left) > max(_ROUNDING * n_left, 0.5):
            name = f"batch {batch + 1}" if rows.batches.max() else "the plan"
            fact = f"the draw probabilities of {name} stand for {total:,.1f} items, not for {n_left:,}"
            hint = (
                "Rows or probabilities were changed, or the data is not that of the plan. "
                "Use all rows that assay review plan wrote."
            )
            raise AssayError(fact, place=rows.place, hint=hint)


def _collect_ratings(
    table: pl.DataFrame, ids: Sequence[str], place: str, changed: Sequence[str]
) -> tuple[list[list[bool]], list[list[str]]]:
    """Return the verdicts on each item and who gave them."""
    ratings: dict[str, list[bool]] = {name: [] for name in ids}
    raters: dict[str, list[str]] = {name: [] for name in ids}
    for name, cell, reviewer in table.select("id", "verdict", "reviewer").iter_rows():
        verdict = parse_verdict(cell, name, place)
        if verdict is not None:
            ratings[name].append(verdict)
            raters[name].append(reviewer)
    if not any(ratings.values()):
        if changed:
            raise AssayError("no item is reviewed that has not changed", place=place, hint=describe_changed(changed))
        hint = "Write ok, bad or what is wrong into the column 'verdict'."
        raise AssayError("no item is reviewed yet", place=place, hint=hint)
    return list(ratings.values()), list(raters.values())


def _collect_labels(table: pl.DataFrame, ids: Sequence[str], place: str) -> list[str | None]:
    """Return the right label of each item, null if reviewers name none or different ones."""
    labels: dict[str, set[str]] = {name: set() for name in ids}
    for name, label, verdict in table.select("id", "right_label", "verdict").iter_rows():
        if label is None:
            continue
        if verdict is None:
            hint = "Write what is wrong into the column 'verdict'."
            raise AssayError(f"item '{name}' has a right label and no verdict", place=place, hint=hint)
        labels[name].add(label)
    return [next(iter(each)) if len(each) == 1 else None for each in labels.values()]
