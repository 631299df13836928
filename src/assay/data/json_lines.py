"""JSON: one object a line, or an array of objects, or an object of columns."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.data.cells import Table, as_text
from assay.data.encoding import refuse_other_encoding
from assay.errors import AssayError


def read_json(content: pa.Buffer, path: Path) -> Table:
    """Read JSON lines, or a JSON array of objects; numbers become the text they were written as."""
    head = content[: 1 << 16].to_pybytes().lstrip()
    if not head:
        raise AssayError(f"{path} is empty: it holds nothing but white space.")
    if head.startswith(b"[") or (
        path.name.lower().removesuffix(".gz").removesuffix(".zst").endswith(".json") and not _is_lines(head)
    ):
        return _document(content, path)
    return _lines(content, path)


def _is_lines(head: bytes) -> bool:
    try:
        return isinstance(json.loads(head.partition(b"\n")[0]), dict)
    except ValueError:
        return False


def _lines(content: pa.Buffer, path: Path) -> Table:
    raw = content.to_pybytes()
    try:
        kinds = pl.scan_ndjson(io.BytesIO(raw), infer_schema_length=None).collect_schema()
        frame = pl.read_ndjson(io.BytesIO(raw), schema=dict.fromkeys(kinds, pl.String))
    except Exception as error:
        refuse_other_encoding(content, path)
        frame = from_records(_objects(raw, path, error), path)
        return as_text(frame)
    odd = {
        name: "objects" if isinstance(kind, pl.Struct) else "lists" for name, kind in kinds.items() if kind.is_nested()
    }
    if not frame.width:
        raise AssayError(f"{path}: its lines hold no fields.")
    return Table(frame, odd=odd)


def _objects(raw: bytes, path: Path, problem: Exception) -> list[dict[str, Any]]:
    """Parse line by line, to name the line that is broken."""
    objects = []
    for number, line in enumerate(io.BytesIO(raw), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            raise AssayError(f"{path}, line {number}: not JSON: {error}.") from problem
        if not isinstance(found, dict):
            raise AssayError(f"{path}, line {number}: {_kind(found)} stands where an object {{…}} should.") from problem
        objects.append(found)
    return objects


def _document(content: pa.Buffer, path: Path) -> Table:
    refuse_other_encoding(content, path)
    try:
        found = json.loads(content.to_pybytes())
    except (ValueError, RecursionError) as error:
        raise AssayError(f"{path}: not JSON: {error}.") from error
    if isinstance(found, list):
        return as_text(from_records(found, path))
    columns = isinstance(found, dict) and found and all(isinstance(value, list) for value in found.values())
    if columns and len({len(value) for value in found.values()}) == 1:
        return as_text(pl.DataFrame({name: _cells(values) for name, values in found.items()}))
    raise AssayError(f"{path}: JSON should be an array of objects, or one object a line; this is {_kind(found)}.")


def from_records(records: list[Any], place: object) -> pl.DataFrame:
    """Make a frame of a list of dicts, whose keys need not agree.

    >>> from_records([{"text": "a", "label": 1}, {"text": 2}], "list").rows()
    [('a', '1'), ('2', None)]
    """
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise AssayError(f"{place}, item {number + 1}: {_kind(record)} stands where an object {{…}} should.")
    names = dict.fromkeys(name for record in records for name in record)
    return pl.DataFrame({str(name): _cells([record.get(name) for record in records]) for name in names})


def _cells(values: list[Any]) -> pl.Series:
    """Keep a column of one kind as it is; write a mixed one as text."""
    nested = any(isinstance(value, (dict, list, tuple)) for value in values)
    if nested:
        return pl.Series(
            values=[None if value is None else [json.dumps(value, default=str)] for value in values],
            dtype=pl.List(pl.String),
        )
    return pl.Series(values=[_cell(value) for value in values], dtype=pl.String)


def _cell(value: Any) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def lines_of(raw: bytes) -> Iterator[bytes]:
    """Yield the lines that are not blank."""
    return (line for line in io.BytesIO(raw) if line.strip())
