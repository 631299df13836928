"""Copies in all shards: exact ones by hashes, near ones as groups of rows that were verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from assay.base.errors import AssayError, UsageError
from assay.features.out_of_core.signatures import HASHES, ID, TABLE, Rows, iterate_equal
from assay.features.profiling.duplicates import Duplicates, count_duplicates

MIN_THRESHOLD = 0.8
ID_BLOCK = 4096  # rows
RowGroups: TypeAlias = tuple[Rows, Rows]  # rows, and the first row of each one's group


@dataclass(frozen=True, eq=False)
class SignedShards:
    """The folders of all shards' signatures, and the number of the first row of each, with the total at the end."""

    folders: tuple[str, ...]
    starts: tuple[int, ...]

    def locate(self, rows: Rows) -> NDArray[np.int64]:
        """Return the shard of every row."""
        return np.searchsorted(self.starts, rows, "right") - 1

    def read_hashes(self, rows: Rows) -> NDArray[np.uint64]:
        """Return the four hashes of some rows."""
        hashes = np.empty((len(rows), 4), np.uint64)
        shards = self.locate(rows)
        for shard in np.unique(shards).tolist():
            chosen = shards == shard
            file = np.load(Path(self.folders[shard]) / HASHES, mmap_mode="r")
            hashes[chosen] = file[rows[chosen] - self.starts[shard]]
        return hashes

    def read_tables(self, rows: Rows) -> pl.DataFrame:
        """Return id, part and label of some rows in ascending order."""
        shards = self.locate(rows)
        tables = [
            pl.read_parquet(Path(self.folders[shard]) / TABLE)[rows[shards == shard] - self.starts[shard]]
            for shard in np.unique(shards).tolist()
        ]
        schema = {"id": pl.String, "part": pl.String, "label": pl.String}
        return pl.concat(tables) if tables else pl.DataFrame(schema=schema)


def find_equal_rows(shards: SignedShards, column: int, places: slice) -> RowGroups:
    """Return rows whose hashes are equal, each with the first row of its group; rows without a copy are left out."""
    rows, firsts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for _, candidates in iterate_equal(shards.folders, shards.starts, column):
        if not len(candidates):
            continue
        hashes = shards.read_hashes(candidates)[:, places]
        _, groups, counts = np.unique(hashes, axis=0, return_inverse=True, return_counts=True)
        groups = groups.reshape(-1)
        first = np.full(len(counts), np.iinfo(np.int64).max)
        np.minimum.at(first, groups, candidates)
        kept = counts[groups] > 1
        rows.append(candidates[kept])
        firsts.append(first[groups][kept])
    return np.concatenate(rows), np.concatenate(firsts)


def unite(edges: Sequence[RowGroups]) -> RowGroups:
    """Return the rows that edges connect, ascending, and the first row of each one's group."""
    left = np.concatenate([edge[0] for edge in edges])
    right = np.concatenate([edge[1] for edge in edges])
    rows, numbers = np.unique(np.concatenate([left, right]), return_inverse=True)
    if not len(rows):
        return rows, rows
    half = len(left)
    graph = coo_array((np.ones(half, np.int8), (numbers[:half], numbers[half:])), shape=(len(rows), len(rows)))
    groups = connected_components(graph, directed=False)[1]
    first = np.full(groups.max() + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, groups, rows)
    return rows, first[groups]


def check_ids(shards: SignedShards, *, has_parts: bool) -> bool:
    """Return whether ids restart in every part; an error if they repeat within one."""
    restart = False
    for _, rows in iterate_equal(shards.folders, shards.starts, ID):
        if not len(rows):
            continue
        table = shards.read_tables(np.sort(rows))
        repeated = table.filter(table["id"].is_duplicated())
        if len(repeated) and (not has_parts or repeated.select("id", "part").is_duplicated().any()):
            raise AssayError(f"duplicate ids, such as '{repeated['id'][0]}'", hint="Use {id} none for row numbers.")
        restart |= len(repeated) > 0
    return restart


class RowIds:
    """The ids of some rows, made for a block of rows at a time: they would take more memory than the rows."""

    def __init__(self, rows: Rows, table: pl.DataFrame, name_ids: Callable[[Rows, pl.DataFrame], list[str]]) -> None:
        self.rows, self.table, self.name_ids = rows, table, name_ids
        self.start, self.names = 0, list[str]()

    def __getitem__(self, place: int) -> str:
        if not 0 <= place - self.start < len(self.names):
            self.start = place - place % ID_BLOCK
            block = slice(self.start, self.start + ID_BLOCK)
            self.names = self.name_ids(self.rows[block], self.table[block])
        return self.names[place - self.start]


def describe_copies(
    shards: SignedShards,
    exact: RowGroups,
    near: RowGroups,
    name_ids: Callable[[Rows, pl.DataFrame], list[str]],
    *,
    has_labels: bool,
    has_parts: bool,
) -> Duplicates:
    """Count copies on the rows that have any; no other row counts."""
    rows = np.union1d(exact[0], near[0])
    groups = []
    for members, firsts in (exact, near):
        own = rows.copy()
        own[np.searchsorted(rows, members)] = firsts
        groups.append(np.unique(own, return_inverse=True)[1].reshape(-1))
    table = shards.read_tables(rows)
    labels = table["label"].rank("dense").fill_null(0).cast(pl.Int64).to_numpy() - 1 if has_labels else None
    return count_duplicates(
        None,
        RowIds(rows, table, name_ids),
        labels,
        table["part"] if has_parts else None,
        exact_groups=groups[0],
        near_groups=groups[1],
    )


def check_threshold(threshold: float) -> None:
    """Refuse thresholds for which bands of signatures would miss pairs."""
    if not MIN_THRESHOLD <= threshold <= 1:
        raise UsageError(f"is {threshold}; out of core it must be from {MIN_THRESHOLD} to 1", option="threshold")
