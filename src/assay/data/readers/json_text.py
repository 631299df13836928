"""JSON: one object per line, an array of objects, or an object of columns."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.columns.table import EmptyTableError, RawTable, check_column_count, list_names
from assay.data.readers.encoding import check_utf8
from assay.data.readers.formats import get_format_suffix, register_format
from assay.data.readers.records import columns_to_table, describe_value, find_records, records_to_table
from assay.system.json import RepeatedKeys, check_json_size, check_line_depth, parse_json
from assay.system.limits import check_cell_count

# The first half of a surrogate pair without its second, or the second without its first.
_LONE_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_SPACED_COLON = re.compile(rb'"[ \t\r]+:')


@register_format("json", suffixes=(".jsonl", ".ndjson", ".json"), is_text=True)
def read_json(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001, of other formats
    """Read JSON lines, an array of objects or an object of columns; numbers keep the text they are written with."""
    raw = content.to_pybytes()
    head = raw[: 1 << 16].lstrip()
    if not head:
        raise EmptyTableError("the file is empty: it holds only white space", place=path)
    if head.startswith(b"[") or (get_format_suffix(path) == ".json" and not _begins_with_lines(head, raw)):
        check_utf8(content, path)
        return _read_document(raw, path)
    if not _has_lone_surrogate(raw):  # polars reads half a character as a null byte
        try:
            return _read_lines(raw, path)
        except AssayError:
            raise
        except (pl.exceptions.PolarsError, OSError, ValueError):
            check_utf8(content, path)
    check_json_size(raw, path)
    repeated = RepeatedKeys()
    numbered = list(_iterate_objects(raw, path, repeated))
    table = records_to_table([record for _, record in numbered], path, [f"line {number}" for number, _ in numbered])
    return replace(table, notes=(*table.notes, *repeated.notes))


def _has_lone_surrogate(raw: bytes) -> bool:
    return (b"\\ud" in raw or b"\\uD" in raw) and _LONE_SURROGATE.search(raw) is not None


def _begins_with_lines(head: bytes, raw: bytes) -> bool:
    """Return whether the first line is an object and not the last line."""
    try:
        first = parse_json(head.partition(b"\n")[0], "the first line", repeated=RepeatedKeys())
    except AssayError:
        return False
    return isinstance(first, dict) and raw.find(b"{", raw.find(b"\n")) > 0


def _read_lines(raw: bytes, path: Path) -> RawTable:
    repeated = RepeatedKeys()
    frame, nested = _read_frame(raw, path)
    lines = _replace_repeated(raw, frame, path, repeated)
    if repeated.places:
        raw = b"\n".join(lines)
        frame, nested = _read_frame(raw, path)
    columns = _find_nested(raw, nested, path) if nested else {}
    written = _write_nested(raw, frame, list(columns), path) if columns else frame
    return RawTable(written, repeated.notes, columns)


def _read_frame(raw: bytes, path: Path) -> tuple[pl.DataFrame, list[str]]:
    """Return the lines as text columns, and which of these may hold lists or objects."""
    check_line_depth(raw, path)
    schema = pl.scan_ndjson(io.BytesIO(raw), infer_schema_length=None).collect_schema()
    check_column_count(len(schema), path)
    check_cell_count(raw.count(b"\n") + 1, len(schema), path)
    frame = pl.read_ndjson(io.BytesIO(raw), schema=dict.fromkeys(schema, pl.String))
    return frame, [name for name in frame.columns if schema[name].is_nested() or _may_hold_json(frame[name])]


def _replace_repeated(raw: bytes, frame: pl.DataFrame, path: Path, repeated: RepeatedKeys) -> list[bytes]:
    """Return the lines, with the last value of a key that is repeated; polars takes the first and says nothing.

    A line has at least as many pairs of quote and colon as keys. Only one with more of them than cells is parsed.
    """
    lines = [line for line in raw.split(b"\n") if line.strip()]
    n_cells = frame.select(pl.sum_horizontal(pl.all().is_not_null())).to_series().to_list()
    is_simple = len(n_cells) == len(lines) and not _SPACED_COLON.search(raw)
    for number, line in enumerate(lines):
        if is_simple and line.count(b'":') <= n_cells[number]:
            continue
        own = RepeatedKeys()
        record = parse_json(line, f"{path}, row {number + 1}", repeated=own)
        if own.places:
            lines[number] = json.dumps(record, ensure_ascii=False).encode()
            for key, place in own.places.items():
                repeated.add(key, place)
    return lines


def _write_nested(raw: bytes, frame: pl.DataFrame, columns: list[str], path: Path) -> pl.DataFrame:
    """Write objects and lists as JSON; polars writes backslashes and quotes inside them as they are."""
    if b"\\" not in raw:
        return frame
    check_json_size(raw, path)
    records = [record for _, record in _iterate_objects(raw, path)]
    written = columns_to_table({name: [record.get(name) for record in records] for name in columns}).frame
    return frame.with_columns(written)


def _may_hold_json(column: pl.Series) -> bool:
    """Return whether a cell looks like an object or list, as cells of a mixed column are read as text."""
    first, last = pl.col("x").str.head(1), pl.col("x").str.tail(1)
    looks_nested = ((first == "{") & (last == "}")) | ((first == "[") & (last == "]"))
    cells = column.to_frame("x").filter(looks_nested).to_series().unique().head(10_000)
    return any(_is_nested(cell) for cell in cells)


def _is_nested(cell: str) -> bool:
    try:
        return isinstance(parse_json(cell, "a cell", repeated=RepeatedKeys()), (dict, list))
    except AssayError:
        return False


def _find_nested(raw: bytes, columns: list[str], path: Path) -> dict[str, str]:
    """Return which of the columns hold objects or lists, and the line of the first."""
    nested: dict[str, str] = {}
    for number, record in _iterate_objects(raw, path):
        for name in columns:
            if name not in nested and isinstance(record.get(name), (dict, list)):
                nested[name] = f"{describe_value(record[name])} (line {number})"
        if len(nested) == len(columns):
            break
    return nested


def _iterate_objects(
    raw: bytes, path: Path, repeated: RepeatedKeys | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line numbers and objects; raise for the line that is broken."""
    for number, line in enumerate(io.BytesIO(raw), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        record = parse_json(line.rstrip(), place, repeated=repeated)
        if not isinstance(record, dict):
            raise AssayError(f"{describe_value(record)} instead of an object {{…}}", place=place)
        yield number, record


def _read_document(raw: bytes, path: Path) -> RawTable:
    repeated = RepeatedKeys()
    table = _convert_document(parse_json(raw, path, repeated=repeated), path)
    return replace(table, notes=(*table.notes, *repeated.notes))


def _convert_document(document: Any, path: Path) -> RawTable:
    records = find_records(document)
    if records is not None:
        return records_to_table(records, path)
    is_columns = isinstance(document, dict) and document and all(isinstance(value, list) for value in document.values())
    if is_columns and len({len(value) for value in document.values()}) == 1:
        return columns_to_table(document)
    fact = f"{describe_value(document)} instead of an array of objects, or of one object per line"
    keys = f"Its keys: {list_names(document)}." if isinstance(document, dict) and document else ""
    raise AssayError(fact, place=path, hint=keys)
