"""Signatures of the texts of one shard on disk: sorted, so that equal keys of all shards are merged by partition."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.arrays import Array
from assay.system.files import open_for_writing, open_temporary, write_bytes
from assay.text.signatures import N_BANDS, TextSignatures

EXACT, SEQUENCE, ID, FIRST_BAND = 0, 1, 2, 3
BANDS = range(FIRST_BAND, FIRST_BAND + N_BANDS)
MAX_PARTITION_ROWS = 4_000_000
KEYS, ORDER, HASHES, TABLE, WORDS = FILES = "keys.bin", "order.bin", "hashes.npy", "table.parquet", "words.parquet"
Rows = NDArray[np.int64]


def write_signatures(
    folder: Path, signatures: TextSignatures, ids: pl.Series, parts: pl.Series, labels: pl.Series
) -> None:
    """Write hashes, keys in ascending order with their rows, and ids, parts and labels."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = np.concatenate(
        [[signatures.exact[:, 0], signatures.sequence[:, 0], ids.hash(seed=0).to_numpy()], signatures.bands]
    )
    order = np.argsort(keys, axis=1, kind="stable").astype(np.uint32)
    save_bytes(folder / KEYS, np.take_along_axis(keys, order.astype(np.int64), axis=1))
    save_bytes(folder / ORDER, order)
    save_array(folder / HASHES, np.concatenate([signatures.exact, signatures.sequence], axis=1))
    write_frame(folder / TABLE, pl.DataFrame({"id": ids, "part": parts, "label": labels}))


def write_frame(path: Path, frame: pl.DataFrame) -> None:
    """Write a frame completely or not at all."""
    content = io.BytesIO()
    frame.write_parquet(content)
    write_bytes(path, content.getvalue())


def save_array(path: Path, array: Array) -> None:
    """Write an array completely or not at all."""
    with open_for_writing(path, "wb") as file:
        np.save(file, array)


def save_bytes(path: Path, array: Array) -> None:
    """Write the values of an array alone, of which parts are read without keeping the file open."""
    with open_temporary(path) as temporary:
        array.tofile(temporary)


def iterate_equal(
    folders: Sequence[str], starts: Sequence[int], column: int, skipped: NDArray[np.bool_] | None = None
) -> Iterator[tuple[NDArray[np.uint64], Rows]]:
    """Yield the keys that several rows share, ascending, with the rows, one partition of the keys at a time.

    Rows are numbered over all shards; those marked in `skipped` are left out.
    """
    n_partitions = max(1, -(-starts[-1] // MAX_PARTITION_ROWS))
    edges = np.array([(number << 64) // n_partitions for number in range(n_partitions)], np.uint64)
    sizes = np.diff(starts).tolist()
    cuts = [find_cuts(folder, column, size, edges) for folder, size in zip(folders, sizes, strict=True)]
    for partition in range(n_partitions):
        keys, rows = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
        for folder, size, cut, start in zip(folders, sizes, cuts, starts, strict=False):
            place, n = column * size + cut[partition], cut[partition + 1] - cut[partition]
            keys.append(np.fromfile(Path(folder) / KEYS, np.uint64, n, offset=8 * place))
            rows.append(np.fromfile(Path(folder) / ORDER, np.uint32, n, offset=4 * place).astype(np.int64) + start)
        yield keep_repeated(np.concatenate(keys), np.concatenate(rows), skipped)


def find_cuts(folder: str, column: int, size: int, edges: NDArray[np.uint64]) -> list[int]:
    """Return where each partition of the keys of a shard begins, and the end."""
    if len(edges) == 1:
        return [0, size]
    keys = np.fromfile(Path(folder) / KEYS, np.uint64, size, offset=8 * column * size)
    return [*np.searchsorted(keys, edges).tolist(), size]


def keep_repeated(
    keys: NDArray[np.uint64], rows: Rows, skipped: NDArray[np.bool_] | None
) -> tuple[NDArray[np.uint64], Rows]:
    """Keep the keys that occur more than once, in ascending order, equal ones by row."""
    if skipped is not None:
        kept = ~skipped[rows]
        keys, rows = keys[kept], rows[kept]
    order = np.argsort(keys, kind="stable")  # rows ascend within equal keys of a shard, and from shard to shard
    keys, rows = keys[order], rows[order]
    same = np.zeros(len(keys) + 1, bool)
    same[1:-1] = keys[1:] == keys[:-1]
    repeated = same[1:] | same[:-1]
    return keys[repeated], rows[repeated]
