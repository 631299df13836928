"""Signatures of the texts of one shard on disk: sorted, so that equal keys of all shards are merged by partition."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.text.signatures import N_BANDS, TextSignatures

EXACT, SEQUENCE, ID, FIRST_BAND = 0, 1, 2, 3
BANDS = range(FIRST_BAND, FIRST_BAND + N_BANDS)
MAX_PARTITION_ROWS = 4_000_000
TABLE, WORDS = "table.parquet", "words.parquet"
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
    save_array(folder / "keys.npy", np.take_along_axis(keys, order.astype(np.int64), axis=1))
    save_array(folder / "order.npy", order)
    save_array(folder / "hashes.npy", np.concatenate([signatures.exact, signatures.sequence], axis=1))
    write_frame(folder / TABLE, pl.DataFrame({"id": ids, "part": parts, "label": labels}))


def write_frame(path: Path, frame: pl.DataFrame) -> None:
    """Write a frame completely or not at all."""
    with open_temporary(path) as temporary:
        frame.write_parquet(temporary)


def is_complete(folder: str) -> bool:
    """Tell whether all files of a shard are there."""
    return all((Path(folder) / name).exists() for name in ("keys.npy", "order.npy", "hashes.npy", TABLE, WORDS))


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array completely or not at all."""
    with open_temporary(path) as temporary, Path(temporary).open("wb") as file:
        np.save(file, array)


class open_temporary:  # noqa: N801, used like a function
    """Give a temporary name that becomes the path when the block ends without an error."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> str:
        handle, self.temporary = tempfile.mkstemp(dir=self.path.parent, suffix=".part")
        os.close(handle)
        return self.temporary

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            Path(self.temporary).replace(self.path)
        else:
            Path(self.temporary).unlink(missing_ok=True)


def iterate_equal(
    folders: Sequence[str], starts: Sequence[int], column: int, skipped: NDArray[np.bool_] | None = None
) -> Iterator[tuple[NDArray[np.uint64], Rows]]:
    """Yield the keys that several rows share, ascending, with the rows, one partition of the keys at a time.

    Rows are numbered over all shards; those marked in `skipped` are left out.
    """
    n_rows = starts[-1]
    n_partitions = max(1, -(-n_rows // MAX_PARTITION_ROWS))
    bounds = [(number << 64) // n_partitions for number in range(1, n_partitions)]
    edges = np.array([0, *bounds], np.uint64)
    files = [
        (
            np.load(Path(folder) / "keys.npy", mmap_mode="r")[column],
            np.load(Path(folder) / "order.npy", mmap_mode="r")[column],
        )
        for folder in folders
    ]
    cuts = [[*np.searchsorted(keys, edges), len(keys)] for keys, _ in files]
    for partition in range(n_partitions):
        keys, rows = [], []
        for (values, order), cut, start in zip(files, cuts, starts, strict=False):
            chosen = slice(cut[partition], cut[partition + 1])
            keys.append(np.asarray(values[chosen]))
            rows.append(order[chosen].astype(np.int64) + start)
        yield keep_repeated(np.concatenate(keys), np.concatenate(rows), skipped)


def keep_repeated(
    keys: NDArray[np.uint64], rows: Rows, skipped: NDArray[np.bool_] | None
) -> tuple[NDArray[np.uint64], Rows]:
    """Keep the keys that occur more than once, in ascending order, equal ones by row."""
    if skipped is not None:
        kept = ~skipped[rows]
        keys, rows = keys[kept], rows[kept]
    order = np.lexsort((rows, keys))
    keys, rows = keys[order], rows[order]
    same = np.zeros(len(keys) + 1, bool)
    same[1:-1] = keys[1:] == keys[:-1]
    repeated = same[1:] | same[:-1]
    return keys[repeated], rows[repeated]
