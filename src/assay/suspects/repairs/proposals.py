"""Read what an audit or a list of suspects proposes for single items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from assay.base.codec import from_plain
from assay.base.errors import AssayError, MissingFileError
from assay.suspects.results import Suspects

COLUMNS = {
    "id": pl.String,
    "proposal": pl.String,
    "leak": pl.String,
    "suggested": pl.String,
    "suspicion": pl.Float64,
    "reasons": pl.String,
}


def read_proposals(source: Any) -> pl.DataFrame:
    """Return one row per item: id, proposal, leak, suggested, suspicion and reasons, null if not known.

    `source` is a result of `find_suspects` or `audit`, their JSON, a frame, or the path of a JSON file or table.
    """
    if isinstance(source, Suspects):
        return _complete(source.to_frame())
    if isinstance(source, str | Path):
        return _read_file(Path(source))
    if isinstance(source, dict):
        return _read_result(source, "the result")
    table = getattr(source, "items", None)
    return _complete(table if isinstance(table, pl.DataFrame) else pl.DataFrame(source))


def _read_file(path: Path) -> pl.DataFrame:
    from assay.data import read_table

    if not path.exists():
        raise MissingFileError("there is no such file.", place=path)
    if path.suffix != ".json":
        return _complete(read_table(path), path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise AssayError(f"not JSON: {error}.", place=path) from error
    return _read_result(content if isinstance(content, dict) else {}, path)


def _read_result(content: dict[str, Any], place: object) -> pl.DataFrame:
    """Return the items of a JSON result; raise if it lists only some of those to change."""
    result = content.get("result", content)
    rows = result.get("items_top") if isinstance(result, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        hint = "Make it with: assay audit DATA --json FILE, or assay suspects DATA -o FILE."
        raise AssayError("there are no items in it", place=place, hint=hint)
    summary = from_plain(dict[str, int], result.get("items_summary") or {}, "items_summary")
    known = [name for name in COLUMNS if name == "id" or any(name in row for row in rows)]
    table = _complete(pl.DataFrame([_read_column(rows, name) for name in known]), place)
    for proposal in ("retire", "repair"):
        n_listed, n_all = int((table["proposal"] == proposal).sum()), summary.get(proposal, 0)
        if n_listed < n_all:
            hint = "Use the table of all items: assay audit DATA --items FILE."
            raise AssayError(f"it lists {n_listed:,} of {n_all:,} items to {proposal}", place=place, hint=hint)
    return table


def _read_column(rows: list[dict[str, Any]], name: str) -> pl.Series:
    return pl.Series(name, [row.get(name) for row in rows], COLUMNS[name], strict=False)


def _complete(table: pl.DataFrame, place: object = None) -> pl.DataFrame:
    if "id" not in table.columns:
        raise AssayError("there is no column 'id'", place=place)
    missing = [pl.lit(None, kind).alias(name) for name, kind in COLUMNS.items() if name not in table.columns]
    table = table.with_columns(missing).select(pl.col(name).cast(kind, strict=False) for name, kind in COLUMNS.items())
    return table.with_columns(pl.when(pl.col(pl.String).str.strip_chars() != "").then(pl.col(pl.String)).name.keep())
