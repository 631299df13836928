"""Parquet files, decoded in batches so small that no batch exceeds what is left of the memory limit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.columns.table import RawTable, check_column_count
from assay.data.readers.arrow import DAMAGE, convert_arrow, damaged_file, validate_table
from assay.data.readers.compression import read_content
from assay.data.readers.formats import register_format
from assay.data.readers.sizes.arrow_sizes import is_text, measure_array
from assay.data.readers.sizes.parquet_pages import Chunk, measure_chunks, measure_entries
from assay.system.limits import CELL_BYTES, check_size, max_bytes

_BATCH_ROWS = 1 << 16
_BATCHES_PER_LIMIT = 32
_SUSPICIOUS = 4  # times the limit: texts that could be so large are measured in a pass of its own


@register_format("parquet", suffixes=(".parquet", ".pq"), magic=(b"PAR1",))
def read_parquet(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001, of other formats
    """Read a Parquet file: a few bytes of one can stand for any number of equal rows, so sizes are checked first."""
    return convert_arrow(load_parquet(content, path), path)


def load_parquet(content: pa.Buffer, path: Path) -> pa.Table:
    """Decode a Parquet file within the memory limit."""
    from pyarrow import parquet

    raw = memoryview(content).cast("B")
    try:
        chunks = measure_chunks(raw, path)
        size = _check_fixed_sizes(chunks, path)
        file = parquet.ParquetFile(pa.BufferReader(content))
        check_column_count(file.metadata.num_columns, path)
        longest = measure_entries(chunks, raw)
        nested = [(chunk, entry) for chunk, entry in zip(chunks, longest, strict=True) if chunk.leaf.is_nested]
        flat = [(chunk, entry) for chunk, entry in zip(chunks, longest, strict=True) if not chunk.leaf.is_nested]
        size += _measure_nested_texts(content, nested, size, path)
        _check_flat_texts(content, flat, size, path)
        return validate_table(_read_batches(file, flat, size, path))
    except AssayError:
        raise
    except DAMAGE as error:
        raise damaged_file(path, "Parquet", error) from error


def read_parquet_fields(path: Path) -> list[pa.Field]:
    """Return the columns of a file, after the size of its description was checked."""
    from pyarrow import parquet

    content = read_content(path)
    try:
        measure_chunks(memoryview(content).cast("B"), path)
        return list(parquet.ParquetFile(pa.BufferReader(content)).schema_arrow)
    except DAMAGE as error:
        raise damaged_file(path, "Parquet", error) from error


def iterate_parquet(path: Path, columns: list[str], n_rows: int) -> Iterator[pa.RecordBatch]:
    """Yield some columns of a file that may be larger than memory, in batches that fit into it."""
    from pyarrow import parquet

    content = read_content(path)
    raw = memoryview(content).cast("B")
    try:
        starts = tuple(f"{name}." for name in columns)
        chunks = [chunk for chunk in measure_chunks(raw, path) if f"{chunk.leaf.path}.".startswith(starts)]
        entries = measure_entries(chunks, raw)
        file = parquet.ParquetFile(pa.BufferReader(content))
        for group in range(file.metadata.num_row_groups):
            texts = [(chunk, entry) for chunk, entry in zip(chunks, entries, strict=True) if chunk.row_group == group]
            check_size(sum(chunk.page_bytes for chunk, _ in texts), path)
            row_bytes = sum(chunk.measure_longest(entry) for chunk, entry in texts if not chunk.leaf.is_nested)
            check_size(row_bytes, path)
            nested = [(chunk, entry) for chunk, entry in texts if chunk.leaf.is_nested]
            _check_nested_batches(content, nested, group, n_rows, path)
            size = min(n_rows, max_bytes() // max(row_bytes, 1))
            yield from file.iter_batches(size, row_groups=[group], columns=columns, use_threads=False)
    except AssayError:
        raise
    except DAMAGE as error:
        raise damaged_file(path, "Parquet", error) from error


def _check_nested_batches(
    content: pa.Buffer, chunks: list[tuple[Chunk, int]], group: int, n_rows: int, path: Path
) -> None:
    """Raise if a batch of a row group has lists or objects that do not fit into memory."""
    from pyarrow import parquet

    check_size(sum(chunk.n_values for chunk, _ in chunks) * CELL_BYTES, path)
    texts = [(chunk, entry) for chunk, entry in chunks if chunk.leaf.is_text]
    if sum(chunk.measure_texts(entry) for chunk, entry in texts) <= max_bytes():
        return
    names = sorted({chunk.leaf.path for chunk, _ in texts})
    file = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=names)
    for batch in file.iter_batches(n_rows, row_groups=[group], columns=names, use_threads=False):
        check_size(sum(measure_array(column) for column in batch.columns), path)


def _check_fixed_sizes(chunks: list[Chunk], path: Path) -> int:
    """Return the bytes of everything but texts, which are known before anything is decoded."""
    pages: dict[str, int] = defaultdict(int)
    for chunk in chunks:
        pages[chunk.leaf.path] = max(pages[chunk.leaf.path], chunk.page_bytes)
    size = sum(chunk.n_values * (chunk.leaf.width + CELL_BYTES) for chunk in chunks)
    check_size(size + sum(pages.values()), path)
    return size


def _measure_nested_texts(content: pa.Buffer, chunks: list[tuple[Chunk, int]], size: int, path: Path) -> int:
    """Return the bytes of texts inside lists and objects; a row can hold any number of them."""
    bound = sum(chunk.measure_texts(entry) for chunk, entry in chunks if chunk.leaf.is_text)
    if size + bound <= max_bytes():
        return bound
    if any(chunk.is_delta for chunk, _ in chunks):  # these texts have no dictionary to measure them by
        check_size(size + bound, path)
    return _measure_exactly(content, [chunk for chunk, _ in chunks if chunk.leaf.is_text], size, path)


def _check_flat_texts(content: pa.Buffer, chunks: list[tuple[Chunk, int]], size: int, path: Path) -> None:
    """Raise before anything is decoded if the texts could be far larger than the limit, and are."""
    texts = [(chunk, entry) for chunk, entry in chunks if chunk.leaf.is_text and not chunk.is_delta]
    if size + sum(chunk.measure_texts(entry) for chunk, entry in texts) > _SUSPICIOUS * max_bytes():
        _measure_exactly(content, [chunk for chunk, _ in texts], size, path)


def _measure_exactly(content: pa.Buffer, chunks: list[Chunk], size: int, path: Path) -> int:
    """Return the bytes of texts from the numbers of their dictionary entries, without making the texts."""
    from pyarrow import parquet

    names = sorted({chunk.leaf.path for chunk in chunks})
    file = parquet.ParquetFile(pa.BufferReader(content), read_dictionary=names)
    exact = 0
    for batch in file.iter_batches(batch_size=1024, columns=names):
        exact += sum(measure_array(column) for column in batch.columns)
        check_size(size + exact, path)
    return exact


def _read_batches(file: Any, chunks: list[tuple[Chunk, int]], size: int, path: Path) -> pa.Table:
    """Decode batch by batch; each is checked for the largest size it might have, and counted once it is there."""
    bounds: dict[int, int] = defaultdict(int)  # all texts of a row group
    longest: dict[int, int] = defaultdict(int)  # the texts of one row, by row group
    for chunk, entry in chunks:
        if chunk.leaf.is_text:
            bounds[chunk.row_group] += chunk.measure_texts(entry)
            longest[chunk.row_group] += chunk.measure_longest(entry)
    # The decoder of delta-encoded texts holds the texts of a batch a second time.
    n_copies = 2 if any(chunk.is_delta for chunk, _ in chunks) else 1
    batches = []
    for group in range(file.metadata.num_row_groups):
        left, n_rows, row_bytes = max_bytes() - size, _BATCH_ROWS, longest[group]
        if n_copies * bounds[group] <= left:
            row_bytes = 0  # the whole group fits
        elif row_bytes:
            n_rows = max(1, min(_BATCH_ROWS, left // (_BATCHES_PER_LIMIT * row_bytes)))
        n_left = file.metadata.row_group(group).num_rows
        check_size(size + min(n_rows, n_left) * row_bytes, path)
        for batch in file.iter_batches(batch_size=n_rows, row_groups=[group]):
            batches.append(batch)
            size += n_copies * sum(_measure_flat_texts(column) for column in batch.columns)
            n_left -= len(batch)
            check_size(size + min(n_rows, n_left) * row_bytes, path)
    return pa.Table.from_batches(batches, schema=batches[0].schema if batches else file.schema_arrow)


def _measure_flat_texts(column: pa.Array) -> int:
    """Return the bytes of texts; cells and numbers are counted by `_check_fixed_sizes` already."""
    if pa.types.is_dictionary(column.type) or is_text(column.type):
        return measure_array(column) - len(column) * CELL_BYTES
    return 0
