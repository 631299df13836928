"""JSON: one object per line, an array of objects, or an object of columns."""

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
from assay.data.columns.table import EmptyTableError, RawTable, check_column_count
from assay.data.readers.encoding import check_utf8
from assay.data.readers.formats import get_format_suffix, register_format
from assay.data.readers.limits import check_cell_count, check_size
from assay.data.readers.records import columns_to_table, describe_value, records_to_table

# The first half of a surrogate pair without its second, or the second without its first.
_LONE_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
# The most that Python takes for the value that begins at a byte, beside four bytes per character.
_VALUE_BYTES = {b"{": 240, b"[": 64, b",": 72}


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
    _check_python_size(raw, path)
    numbered = list(_iterate_objects(raw, path))
    return records_to_table([record for _, record in numbered], path, [f"line {number}" for number, _ in numbered])


def _has_lone_surrogate(raw: bytes) -> bool:
    return (b"\\ud" in raw or b"\\uD" in raw) and _LONE_SURROGATE.search(raw) is not None


def _begins_with_lines(head: bytes, raw: bytes) -> bool:
    """Tell whether the first line is an object and not the last line."""
    try:
        return isinstance(json.loads(head.partition(b"\n")[0]), dict) and raw.find(b"{", raw.find(b"\n")) > 0
    except (ValueError, RecursionError):
        return False


def _read_lines(raw: bytes, path: Path) -> RawTable:
    schema = pl.scan_ndjson(io.BytesIO(raw), infer_schema_length=None).collect_schema()
    check_column_count(len(schema), path)
    check_cell_count(raw.count(b"\n") + 1, len(schema), path)
    frame = pl.read_ndjson(io.BytesIO(raw), schema=dict.fromkeys(schema, pl.String))
    suspects = [name for name in frame.columns if schema[name].is_nested() or _may_hold_json(frame[name])]
    nested = _find_nested(raw, suspects, path) if suspects else {}
    return RawTable(_write_nested(raw, frame, list(nested), path) if nested else frame, nested=nested)


def _write_nested(raw: bytes, frame: pl.DataFrame, columns: list[str], path: Path) -> pl.DataFrame:
    """Write objects and lists as JSON; polars writes backslashes and quotes inside them as they are."""
    if b"\\" not in raw:
        return frame
    _check_python_size(raw, path)
    records = [record for _, record in _iterate_objects(raw, path)]
    written = columns_to_table({name: [record.get(name) for record in records] for name in columns}).frame
    return frame.with_columns(written)


def _may_hold_json(column: pl.Series) -> bool:
    """Tell whether a cell looks like an object or list, as those of a mixed column are read as text."""
    first, last = pl.col("x").str.head(1), pl.col("x").str.tail(1)
    looks_nested = ((first == "{") & (last == "}")) | ((first == "[") & (last == "]"))
    cells = column.to_frame("x").filter(looks_nested).to_series().unique().head(10_000)
    return any(_is_nested(cell) for cell in cells)


def _is_nested(cell: str) -> bool:
    try:
        return isinstance(json.loads(cell), (dict, list))
    except (ValueError, RecursionError):
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


def _iterate_objects(raw: bytes, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line numbers and objects; raise for the line that is broken."""
    for number, line in enumerate(io.BytesIO(raw), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            problem = error.msg.removesuffix(" starting at")
            raise AssayError(f"not JSON: {problem} at column {error.colno}", place=place) from error
        except (ValueError, RecursionError) as error:
            raise AssayError(f"not JSON: {error}", place=place) from error
        if not isinstance(record, dict):
            raise AssayError(f"{describe_value(record)} instead of an object {{…}}", place=place)
        yield number, record


def _read_document(raw: bytes, path: Path) -> RawTable:
    _check_python_size(raw, path)
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise AssayError(f"not JSON: {error}", place=path) from error
    if isinstance(document, list):
        return records_to_table(document, path)
    is_columns = isinstance(document, dict) and document and all(isinstance(value, list) for value in document.values())
    if is_columns and len({len(value) for value in document.values()}) == 1:
        return columns_to_table(document)
    raise AssayError(
        f"{describe_value(document)} instead of an array of objects, or of one object per line", place=path
    )


def _check_python_size(raw: bytes, path: Path) -> None:
    """Raise for JSON whose values would not fit into memory as Python objects."""
    check_size(4 * len(raw) + sum(size * raw.count(mark) for mark, size in _VALUE_BYTES.items()), path)
