"""Parquet, Arrow IPC and Arrow tables, with the label names that Hugging Face keeps in their metadata."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.cells import Table, as_text, refuse_many_columns
from assay.data.compression import refuse_too_large

_BATCH = 1 << 16


def read_parquet(content: pa.Buffer, path: Path) -> Table:
    """Read a Parquet file."""
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(content))
        refuse_many_columns(file.metadata.num_columns, path)
        return from_arrow(_valid(_bounded(file, path)))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(path, "Parquet", error) from error


def _bounded(file: Any, path: Path) -> pa.Table:
    """Read batch by batch: a few bytes of a Parquet file can stand for any number of equal rows."""
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    refuse_too_large(sum(group.total_byte_size for group in groups), path)
    batches, size = [], 0
    for batch in file.iter_batches(batch_size=_BATCH):
        size += batch.nbytes
        refuse_too_large(size, path)
        batches.append(batch)
    return pa.Table.from_batches(batches, schema=batches[0].schema if batches else file.schema_arrow)


def read_ipc(content: pa.Buffer, path: Path) -> Table:
    """Read an Arrow IPC file or stream; Feather is the former under another name."""
    source = pa.BufferReader(content)
    is_file = content[:6].to_pybytes() == b"ARROW1"
    try:
        reader = pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
        return from_arrow(_valid(reader.read_all()))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(path, "Arrow", error) from error


def _valid(table: pa.Table) -> pa.Table:
    """Check offsets and UTF-8: a damaged file read unchecked can crash the process."""
    table.validate(full=True)
    return table


def _damaged(path: Path, kind: str, error: Exception) -> AssayError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    return AssayError(f"{path} is damaged or no {kind} file ({reason[:150]}).")


def from_arrow(table: pa.Table, names: dict[str, list[str]] | None = None) -> Table:
    """Turn an Arrow table into text columns; numbers of Hugging Face class labels become their names."""
    refuse_many_columns(table.num_columns, "The table")
    twice = [name for name, times in Counter(table.column_names).items() if times > 1]
    if twice:
        raise AssayError(f"The table has column '{twice[0]}' more than once. Rename one of them.")
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    text = as_text(frame)
    classes = {**class_names(table.schema.metadata), **(names or {})}
    named = [_named(frame[column], known) for column, known in classes.items() if column in frame.columns]
    return Table(text.frame.with_columns(named), text.notes, text.odd)


def class_names(metadata: dict[bytes, bytes] | None) -> dict[str, list[str]]:
    """Return the names of class labels, by column, that Hugging Face `datasets` wrote into a schema."""
    try:
        features = json.loads((metadata or {})[b"huggingface"])["info"]["features"]
        return {column: kind["names"] for column, kind in features.items() if _is_class_label(kind)}
    except (KeyError, TypeError, ValueError):
        return {}


def _is_class_label(kind: Any) -> bool:
    return isinstance(kind, dict) and kind.get("_type") == "ClassLabel" and isinstance(kind.get("names"), list)


def _named(numbers: pl.Series, names: list[str]) -> pl.Series:
    """Replace class numbers by names; -1, which marks a hidden label, stays as it is."""
    if not numbers.dtype.is_integer():
        return numbers.cast(pl.String)
    known = {number: str(name) for number, name in enumerate(names)}
    return numbers.replace_strict(known, default=numbers.cast(pl.String), return_dtype=pl.String)
