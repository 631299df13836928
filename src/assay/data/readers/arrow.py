"""Arrow tables and Arrow IPC files, with the label names that Hugging Face keeps in their metadata."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.columns.cells import to_text_table
from assay.data.columns.table import RawTable, check_column_count
from assay.data.readers.formats import register_format
from assay.data.readers.sizes.arrow_messages import measure_messages
from assay.data.readers.sizes.arrow_sizes import is_convertible, measure_array
from assay.system.json import RepeatedKeys, parse_json
from assay.system.limits import check_size

# What a damaged file raises, in Arrow or while its sizes are measured.
DAMAGE = (pa.ArrowException, OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError, struct.error)
_CONTINUATION = b"\xff\xff\xff\xff"  # an IPC stream begins with it
_FILE_MAGIC = b"ARROW1"


@register_format("arrow", suffixes=(".arrow", ".ipc", ".feather"), magic=(_FILE_MAGIC, _CONTINUATION))
def read_arrow(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001, of other formats
    """Read an Arrow IPC file or stream; Feather is the former under another name."""
    is_file = content[: len(_FILE_MAGIC)].to_pybytes() == _FILE_MAGIC
    try:
        check_size(measure_messages(content, is_file=is_file), path)
        source = pa.BufferReader(content)
        reader = pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
        table = validate_table(reader.read_all())
        check_size(sum(measure_array(chunk) for column in table.columns for chunk in column.chunks), path)
    except AssayError:
        raise
    except DAMAGE as error:
        raise damaged_file(path, "Arrow", error) from error
    return convert_arrow(table, path)


def validate_table(table: pa.Table) -> pa.Table:
    """Check offsets and UTF-8: a damaged file read unchecked can crash the process."""
    table.validate(full=True)
    return table


def damaged_file(path: Path, file_format: str, error: Exception) -> AssayError:
    """Return the error for a file that cannot be decoded."""
    if isinstance(error, MemoryError):
        return AssayError("there is not enough memory to read the file", place=path)
    reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
    return AssayError(f"the file is damaged or no {file_format} file ({reason[:150]})", place=path)


def convert_arrow(table: pa.Table, place: object, class_names: dict[str, list[str]] | None = None) -> RawTable:
    """Turn an Arrow table into text columns; numbers of Hugging Face class labels become their names."""
    check_column_count(table.num_columns, place)
    repeated = [name for name, count in Counter(table.column_names).items() if count > 1]
    if repeated:
        fact = f"the table has column '{repeated[0]}' more than once"
        raise AssayError(fact, place=place, hint="Rename one of them.")
    other = {field.name: f"values of type {field.type}" for field in table.schema if not is_convertible(field.type)}
    for name in other:
        nulls = pa.nulls(len(table), pa.large_string())
        table = table.set_column(table.column_names.index(name), name, nulls)
    # Polars reads the metadata of a schema, and stops if it is not UTF-8.
    bare = pa.schema([pa.field(field.name, field.type) for field in table.schema])
    try:
        frame = pl.from_arrow(pa.Table.from_arrays(table.columns, schema=bare))
        assert isinstance(frame, pl.DataFrame)
        text = to_text_table(frame)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise AssayError(f"the table cannot be converted ({str(error).splitlines()[0][:150]})", place=place) from error
    names_by_column = {**read_class_names(table.schema.metadata), **(class_names or {})}
    labels = [_name_classes(frame[name], names) for name, names in names_by_column.items() if name in frame.columns]
    return RawTable(text.frame.with_columns(labels), text.notes, {**text.nested, **other})


def read_class_names(metadata: dict[bytes, bytes] | None) -> dict[str, list[str]]:
    """Return the names of class labels, by column, that Hugging Face `datasets` wrote into a schema."""
    try:
        content = parse_json((metadata or {})[b"huggingface"], "huggingface", repeated=RepeatedKeys())
        features = content["info"]["features"]
        return {column: feature["names"] for column, feature in features.items() if _is_class_label(feature)}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def _is_class_label(feature: Any) -> bool:
    return isinstance(feature, dict) and feature.get("_type") == "ClassLabel" and isinstance(feature.get("names"), list)


def _name_classes(numbers: pl.Series, names: list[str]) -> pl.Series:
    """Replace class numbers by names; -1, which marks a hidden label, stays as it is."""
    if not numbers.dtype.is_integer():
        return numbers.cast(pl.String)
    known = {number: str(name) for number, name in enumerate(names)}
    return numbers.replace_strict(known, default=numbers.cast(pl.String), return_dtype=pl.String)
