"""A hash of the content of a dataset, the same whatever the file format."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import polars as pl
import pyarrow as pa

_BLOCK_ROWS = 1 << 16


def hash_columns(columns: Mapping[str, pl.Series | None]) -> str:
    """Return the SHA-256 of the columns that are there, with their names, row by row."""
    digest = hashlib.sha256()
    for name, values in columns.items():
        if values is not None:
            digest.update(f"{name}:{len(values)};".encode())
            _add_values(digest, values)
    return digest.hexdigest()


def _add_values(digest: hashlib._Hash, values: pl.Series) -> None:
    """Hash lengths (-1 for null) and bytes in blocks of rows that do not depend on the storage."""
    if isinstance(values.dtype, pl.List):
        digest.update(values.list.len().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
        values = values.explode(empty_as_null=False, keep_nulls=False)
    for start in range(0, len(values), _BLOCK_ROWS):
        block = values.slice(start, _BLOCK_ROWS)
        digest.update(block.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
        array = block.alias("").fill_null("").rechunk().to_arrow().cast(pa.large_string())
        offsets = np.frombuffer(array.buffers()[1], dtype=np.int64)[array.offset : array.offset + len(array) + 1]
        if offsets[-1] > offsets[0]:
            digest.update(memoryview(array.buffers()[2])[offsets[0] : offsets[-1]])
