"""Read what an audit or a list of suspects proposes for single items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from assay.base.codec import from_plain
from assay.base.errors import AssayError, MissingFileError
from assay.suspects.results import Suspects
from assay.system.json import JsonObject, read_json

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
    content = read_json(path)
    return _read_result(content if isinstance(content, dict) else {}, path)


def _read_result(content: JsonObject, place: object) -> pl.DataFrame:
    """Return the items of a JSON result; raise if it lists only some of those to change."""
    result = content.get("result", content)
    rows = result.get("items_top") if isinstance(result, dict) else None
    if not isinstance(rows, list):
        hint = "Make it with: assay audit DATA --json FILE, or assay suspects DATA -o FILE."
        raise AssayError("there are no items in it", place=place, hint=hint)
    summary = from_plain(dict[str, int], result.get("items_summary") or {}, "items_summary")
    table = _complete(_make_table(rows, place), place)
    for proposal in ("retire", "repair"):
        n_listed, n_all = int((table["proposal"] == proposal).sum()), summary.get(proposal, 0)
        if n_listed < n_all:
            hint = "Use the table of all items: assay audit DATA --items FILE."
            raise AssayError(f"it lists {n_listed:,} of {n_all:,} items to {proposal}", place=place, hint=hint)
    return table


def _make_table(rows: list[Any], place: object) -> pl.DataFrame:
    """Return the items of a JSON list; raise if one is not an object, or has a list or an object as a value."""
    for number, row in enumerate(rows, start=1):
        odd = [name for name in COLUMNS if isinstance(row.get(name), list | dict)] if isinstance(row, dict) else ["all"]
        if odd:
            raise AssayError(f"item {number} is damaged ({', '.join(odd)})", place=place, hint="Make the file again.")
    names = [name for name in COLUMNS if not rows or any(name in row for row in rows)]
    cells = {name: [_to_text(row.get(name)) for row in rows] for name in names}
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String))


def _to_text(value: object) -> str | None:
    return None if value is None else str(value)


def _complete(table: pl.DataFrame, place: object = None) -> pl.DataFrame:
    if "id" not in table.columns:
        raise AssayError("there is no column 'id'", place=place)
    missing = [pl.lit(None, kind).alias(name) for name, kind in COLUMNS.items() if name not in table.columns]
    table = table.with_columns(missing).select(pl.col(name).cast(kind, strict=False) for name, kind in COLUMNS.items())
    return table.with_columns(pl.when(pl.col(pl.String).str.strip_chars() != "").then(pl.col(pl.String)).name.keep())
