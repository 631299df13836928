"""JSON: one object a line, or an array of objects, or an object of columns."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.cells import EmptyError, Table, refuse_many_columns
from assay.data.encoding import refuse_other_encoding
from assay.data.formats import unpacked_suffix
from assay.data.records import from_columns, from_records, kind_of

# The first half of a surrogate pair without its second, or the second without its first.
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def read_json(content: pa.Buffer, path: Path) -> Table:
    """Read JSON lines, an array of objects or an object of columns; numbers become the text they were."""
    raw = content.to_pybytes()
    head = raw[: 1 << 16].lstrip()
    if not head:
        raise EmptyError(f"{path} is empty: it holds nothing but white space.")
    if head.startswith(b"[") or (unpacked_suffix(path) == ".json" and not _begins_lines(head, raw)):
        refuse_other_encoding(content, path)
        return _document(raw, path)
    try:
        if not _holds_half(raw):  # polars reads half a character as a null byte
            return _lines(raw, path)
    except (pl.exceptions.PolarsError, OSError, ValueError):
        refuse_other_encoding(content, path)
    numbered = list(_objects(raw, path))
    return from_records([found for _, found in numbered], path, [f"line {number}" for number, _ in numbered])


def _holds_half(raw: bytes) -> bool:
    return (b"\\ud" in raw or b"\\uD" in raw) and _HALF.search(raw) is not None


def _begins_lines(head: bytes, raw: bytes) -> bool:
    """Tell whether the first line is an object and not the last line."""
    try:
        return isinstance(json.loads(head.partition(b"\n")[0]), dict) and raw.find(b"{", raw.find(b"\n")) > 0
    except ValueError:
        return False


def _lines(raw: bytes, path: Path) -> Table:
    kinds = pl.scan_ndjson(io.BytesIO(raw), infer_schema_length=None).collect_schema()
    refuse_many_columns(len(kinds), path)
    frame = pl.read_ndjson(io.BytesIO(raw), schema=dict.fromkeys(kinds, pl.String))
    doubtful = [name for name in frame.columns if kinds[name].is_nested() or _may_hold_json(frame[name])]
    return Table(frame, odd=_nested(raw, doubtful, path) if doubtful else {})


def _may_hold_json(column: pl.Series) -> bool:
    """Tell whether a cell looks like an object or list, as those of a mixed column are read as text."""
    first, last = pl.col("x").str.head(1), pl.col("x").str.tail(1)
    alike = ((first == "{") & (last == "}")) | ((first == "[") & (last == "]"))
    found = column.to_frame("x").filter(alike).to_series().unique().head(10_000)
    return any(_is_nested(cell) for cell in found)


def _is_nested(cell: str) -> bool:
    try:
        return isinstance(json.loads(cell), (dict, list))
    except (ValueError, RecursionError):
        return False


def _nested(raw: bytes, columns: list[str], path: Path) -> dict[str, str]:
    """Return which of the columns hold objects or lists, and the line of the first."""
    odd: dict[str, str] = {}
    for number, found in _objects(raw, path):
        for name in columns:
            if name not in odd and isinstance(found.get(name), (dict, list)):
                odd[name] = f"{kind_of(found[name])} (line {number})"
        if len(odd) == len(columns):
            break
    return odd


def _objects(raw: bytes, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line numbers and objects; raise for the line that is broken."""
    for number, line in enumerate(io.BytesIO(raw), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise AssayError(f"{path}, line {number}: not JSON: {error.msg} at column {error.colno}.") from error
        except (ValueError, RecursionError) as error:
            raise AssayError(f"{path}, line {number}: not JSON: {error}.") from error
        if not isinstance(found, dict):
            raise AssayError(f"{path}, line {number}: {kind_of(found)} where an object {{…}} should stand.")
        yield number, found


def _document(raw: bytes, path: Path) -> Table:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise AssayError(f"{path}: not JSON: {error}.") from error
    if isinstance(found, list):
        return from_records(found, path)
    columns = isinstance(found, dict) and found and all(isinstance(value, list) for value in found.values())
    if columns and len({len(value) for value in found.values()}) == 1:
        return from_columns(found)
    raise AssayError(f"{path}: {kind_of(found)} where an array of objects, or one object a line, should stand.")
