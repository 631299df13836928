"""One row per response: for the file of `assay responses`, and for the items of a page."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from assay.responses.grading import GradedResponse
from assay.responses.reading.excerpts import Excerpt

_NUMBERS = {"row": pl.UInt32, "repeat": pl.Int32, "graded": pl.Float64, "right": pl.Float64}
_TEXTS = ("system", "state", "loss", "extracted", "read", "before", "span", "after")
EXCERPT_SCHEMA = pl.Schema(_NUMBERS | {"is_remarkable": pl.Boolean} | dict.fromkeys(_TEXTS, pl.String))


def list_responses(rows: Sequence[GradedResponse]) -> pl.DataFrame:
    """Return one row per response, sorted as they were read; trials of agents have further columns."""
    columns: dict[str, pl.Series] = {
        "system": pl.Series([row.system for row in rows], dtype=pl.String),
        "id": pl.Series([row.id for row in rows], dtype=pl.String),
        "state": pl.Series([row.state for row in rows], dtype=pl.String),
        "extracted": pl.Series([row.extracted for row in rows], dtype=pl.String),
        "read": pl.Series([row.read for row in rows], dtype=pl.String),
        "sure": pl.Series([int(row.is_sure) for row in rows], dtype=pl.Int8),
        "right_as_graded": pl.Series([row.right_as_graded for row in rows], dtype=pl.Float64),
        "right_as_read": pl.Series([row.right_as_read for row in rows], dtype=pl.Float64),
    }
    for name in ("right_as_graded", "right_as_read"):
        whole = columns[name].drop_nulls()
        if len(whole) and bool(whole.is_in([0.0, 1.0]).all()):
            columns[name] = columns[name].cast(pl.Int8)
    if any(row.repeat for row in rows):
        columns["repeat"] = pl.Series([row.repeat for row in rows], dtype=pl.Int32)
    if any(row.trial for row in rows):
        for name in ("steps", "tool_calls", "tool_errors", "tokens", "cost"):
            columns[name] = pl.Series([getattr(row.trial, name, None) for row in rows])
        columns["stop"] = pl.Series([row.stop for row in rows], dtype=pl.String)
    return pl.DataFrame(columns)


def tabulate_excerpts(rows: Sequence[GradedResponse], ids: pl.Series) -> pl.DataFrame:
    """Return the responses to the items with these ids, by the `row` of their item, with the text that was read."""
    places = {name: row for row, name in reversed(list(enumerate(ids.to_list())))}
    known = sorted((row for row in rows if row.id in places), key=lambda row: (places[row.id], row.system, row.repeat))
    shown = [(row.excerpt or Excerpt("", "", "")).show() for row in known]
    texts = [(row.system, row.state, row.loss, row.extracted, row.read) for row in known]
    numbers = [(places[row.id], row.repeat, row.right_as_graded, row.right_as_read, row.is_remarkable) for row in known]
    records = [(*number, *text, *parts) for number, text, parts in zip(numbers, texts, shown, strict=True)]
    return pl.DataFrame(records, schema=EXCERPT_SCHEMA, orient="row")
