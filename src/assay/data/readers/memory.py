"""Data that is in memory already: frames, tables, datasets, lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.columns.cells import to_text_table
from assay.data.columns.table import RawTable
from assay.data.readers.arrow import convert_arrow
from assay.data.readers.records import columns_to_table, find_records, records_to_table

Record: TypeAlias = dict[str, object]

BATCH_ROWS = 10_000  # of a stream
MAX_PATH = 1024  # characters


def convert_object(source: Any) -> dict[str, RawTable]:
    """Return the parts of an object in memory; without parts, one under the empty name."""
    from assay.data.readers.files import merge_by_part

    if are_tables(source):
        return merge_by_part((str(name), _convert_table(part)) for name, part in source.items())
    return {"": _convert_table(source)}


def are_tables(source: object) -> bool:
    """Return True for a mapping from parts to frames."""
    return isinstance(source, Mapping) and bool(source) and all(map(_is_frame, source.values()))


def _is_frame(source: object) -> bool:
    if isinstance(source, (pl.DataFrame, pl.LazyFrame, pa.Table)) or _comes_from(source, "datasets"):
        return True
    return _comes_from(source, "pandas") and getattr(source, "ndim", 0) == 2


def take_head(source: Any, n_rows: int) -> Any:
    """Return the first rows of a table in memory; None for a stream, which can be read only once, and other objects."""
    if isinstance(source, pa.Table):
        return source.slice(0, n_rows)
    if isinstance(source, (pl.DataFrame, pl.LazyFrame)) or _comes_from(source, "pandas"):
        return source.head(n_rows)
    if isinstance(source, Mapping):
        records = find_records(source)
        return {name: list(islice(values, n_rows)) for name, values in source.items()} if records is None else records
    return list(source[:n_rows]) if isinstance(source, (list, tuple)) else None


def are_paths(source: object) -> bool:
    """Return True for a list of paths, also as texts that name files.

    >>> are_paths(["train.csv", "test.csv"]), are_paths(["a good film", "a bad film"])
    (True, False)
    """
    return isinstance(source, (list, tuple)) and bool(source) and all(map(_is_path, source))


def _is_path(source: object) -> bool:
    from assay.data.readers.formats import has_readable_name

    if not isinstance(source, str) or len(source) > MAX_PATH or not source.isprintable():
        return isinstance(source, Path)
    return has_readable_name(Path(source)) or os.path.isfile(source)  # noqa: PTH113, False for names that are too long


def _comes_from(source: object, package: str) -> bool:
    return type(source).__module__.partition(".")[0] == package


def _convert_table(source: Any) -> RawTable:
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    if isinstance(source, pl.DataFrame):
        return to_text_table(source)
    if isinstance(source, (pa.Table, pa.RecordBatch)):
        return convert_arrow(pa.table(source), "table")
    if isinstance(source, pa.RecordBatchReader):
        return convert_arrow(source.read_all(), "table")
    if _comes_from(source, "pandas"):
        return _convert_pandas(source)
    if _comes_from(source, "datasets"):
        return convert_hugging_face(source)
    if isinstance(source, Mapping):
        return _convert_columns(source)
    if isinstance(source, pl.Series) or (_comes_from(source, "numpy") and getattr(source, "ndim", 0) == 1):
        source = source.to_list() if isinstance(source, pl.Series) else source.tolist()
    if isinstance(source, (list, tuple)):
        return _convert_list(list(source))
    table = _convert_query(source)
    if table is not None:
        return table
    raise AssayError(
        f"a {type(source).__name__} cannot be read",
        option="data",
        hint="Use a path, a frame (pandas, polars, or another with Arrow export), a datasets.Dataset, the result of a query"
        ", a list or a dict.",
    )


def _convert_query(source: Any) -> RawTable | None:
    """Turn the result of a query, or a frame of another library, into text columns; None for any other object."""
    if _comes_from(source, "narwhals") and hasattr(source, "collect"):
        source = source.collect()
    if hasattr(source, "__arrow_c_stream__"):  # DuckDB relations, frames of narwhals, ibis and others
        return convert_arrow(pa.RecordBatchReader.from_stream(source).read_all(), "table")
    if _comes_from(source, "sqlalchemy") and hasattr(source, "mappings"):
        return records_to_table([dict(row) for row in source.mappings()], "query")
    if hasattr(source, "fetchall") and getattr(source, "description", None):  # a cursor of Python's database API
        names = [str(column[0]) for column in source.description]
        return records_to_table([dict(zip(names, row, strict=True)) for row in source.fetchall()], "query")
    return None


def _convert_list(items: list[object]) -> RawTable:
    if all(isinstance(item, str) for item in items):
        return columns_to_table({"text": items})
    return records_to_table(items, "list")


def _convert_columns(columns: Mapping[str, Any]) -> RawTable:
    records = find_records(columns)
    if records is not None:
        return records_to_table(records, "data")
    lengths = {str(name): len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise AssayError(f"the columns differ in length: {counts}", place="data")
    return columns_to_table({str(name): list(values) for name, values in columns.items()})


def _convert_pandas(source: Any) -> RawTable:
    frame = source.to_frame() if source.ndim == 1 else source
    if frame.index.name == "id" and "id" not in frame.columns:
        frame = frame.reset_index()
    frame = frame.rename(columns=str)
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # a column of several types
        return records_to_table(frame.astype(object).where(frame.notna(), None).to_dict("records"), "frame")
    return convert_arrow(table, "frame")


def convert_hugging_face(source: Any) -> RawTable:
    """Turn a `datasets.Dataset` into text columns; class labels become their names."""
    features = (source.features or {}).items()
    names = {name: list(feature.names) for name, feature in features if type(feature).__name__ == "ClassLabel"}
    if not hasattr(source, "num_rows"):  # a stream
        tables = [pa.Table.from_pylist(rows) for rows in _list_batches(source)]
        if not tables:
            raise AssayError("the dataset has no rows", place="dataset")
        return convert_arrow(pa.concat_tables(tables, promote_options="permissive"), "dataset", names)
    return convert_arrow(source.with_format("arrow")[:], "dataset", names)


def _list_batches(rows: Iterable[Record]) -> Iterator[list[Record]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch
