"""Data that is in memory already: frames, tables, datasets, lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.arrow import from_arrow
from assay.data.cells import Table, as_text
from assay.data.records import from_columns, from_records


def from_object(source: Any) -> dict[str, Table]:
    """Return the parts of an object in memory; without parts, one under the empty name."""
    from assay.data.parts import merged

    if _is_from(source, "datasets") and isinstance(source, Mapping):
        return merged((str(name), from_hugging_face(part)) for name, part in source.items())
    return {"": _table(source)}


def _is_from(source: Any, package: str) -> bool:
    return type(source).__module__.partition(".")[0] == package


def _table(source: Any) -> Table:
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    if isinstance(source, pl.DataFrame):
        return as_text(source)
    if isinstance(source, (pa.Table, pa.RecordBatch)):
        return from_arrow(pa.table(source))
    if isinstance(source, pa.RecordBatchReader):
        return from_arrow(source.read_all())
    if _is_from(source, "pandas"):
        return _from_pandas(source)
    if _is_from(source, "datasets"):
        return from_hugging_face(source)
    if isinstance(source, Mapping):
        return _from_columns(source)
    if isinstance(source, (list, tuple)):
        return _from_list(list(source))
    raise AssayError(
        f"Cannot read {type(source).__name__}: give a path, "
        "a pandas or polars frame, an Arrow table, a datasets.Dataset, a list or a dict."
    )


def _from_list(items: list[Any]) -> Table:
    if all(isinstance(item, str) for item in items):
        return from_columns({"text": items})
    return from_records(items, "list")


def _from_columns(columns: Mapping[str, Any]) -> Table:
    lengths = {str(name): len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise AssayError(f"The columns differ in length: {told}.")
    return from_columns({str(name): list(values) for name, values in columns.items()})


def _from_pandas(source: Any) -> Table:
    frame = source.to_frame() if source.ndim == 1 else source
    frame = frame.rename(columns=str)
    try:
        return from_arrow(pa.Table.from_pandas(frame, preserve_index=False))
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # a column of several types
        return from_records(frame.astype(object).where(frame.notna(), None).to_dict("records"), "frame")


def from_hugging_face(source: Any) -> Table:
    """Turn a `datasets.Dataset` into text columns; class labels become their names."""
    if not hasattr(source, "with_format") or not hasattr(source, "num_rows"):
        raise AssayError(f"Cannot read a {type(source).__name__}: load it without streaming.")
    names = {
        column: list(kind.names) for column, kind in source.features.items() if type(kind).__name__ == "ClassLabel"
    }
    return from_arrow(source.with_format("arrow")[:], names)
