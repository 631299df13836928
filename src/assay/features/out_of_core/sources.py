"""Data in shards: which files there are, and how each is read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.readers.files import PartTables, find_files, read_shards
from assay.kinds import kind_of, read
from assay.kinds.reading import name_source

PROFILED_TASKS = ("classification", "pairs")
MAX_SINGLE_FILES = 512  # of more files than these, small ones are read together
MIN_SHARD_BYTES = 16_000_000


@dataclass(frozen=True)
class Shard:
    """Files that are read together, the part they belong to (empty if names give none), and their state.

    The state of a file is its size and its time of change.
    """

    paths: tuple[str, ...]
    part: str
    state: tuple[tuple[int, int], ...]

    @property
    def name(self) -> str:
        """Return the name of the first file."""
        return Path(self.paths[0]).name


@dataclass(frozen=True)
class ShardedData:
    """Files with the same columns, which are read a shard at a time.

    `columns` names the roles, as in `assay.read`, so that every shard is read alike.
    """

    name: str
    shards: tuple[Shard, ...]
    columns: dict[str, Any] = field(default_factory=dict)
    task: str = PROFILED_TASKS[0]
    is_paired: bool = False
    n_rows: int = 0  # known when the shards have been read

    def __len__(self) -> int:
        return self.n_rows

    @property
    def fingerprint(self) -> str:
        """Return a hash of the files' names, sizes and times of change."""
        return hashlib.sha256(repr([(shard.paths, shard.state) for shard in self.shards]).encode()).hexdigest()


def find_shards(source: str | Path, *, tasks: Sequence[str] = PROFILED_TASKS, **columns: object) -> ShardedData:
    """Find the files of a folder or glob, and recognise the columns in the first; `tasks` are the kinds allowed."""
    groups, _ = find_files(source)
    shards = [shard for part, files in groups.items() for shard in group_files(files, part)]
    columns = {name: value for name, value in columns.items() if value is not None}
    data = read_shard(shards[0], columns)
    if data.task not in tasks:
        fact = f"the data is of the task {data.task}; a shard at a time only {' and '.join(tasks)} can be read"
        raise AssayError(fact, place=source, hint="Name the columns with {text} and {label}, or read it in memory.")
    name, is_paired = name_source(source, {}), kind_of(data).texts.is_paired(data)
    return ShardedData(name, tuple(shards), columns | {"task": data.task}, data.task, is_paired)


def group_files(files: Sequence[Path], part: str) -> list[Shard]:
    """Make shards of the files of one part: one each, or of very many files neighbours together.

    >>> [shard.paths == (__file__,) for shard in group_files([Path(__file__)], "")]
    [True]
    """
    min_bytes = MIN_SHARD_BYTES if len(files) > MAX_SINGLE_FILES else 0
    shards: list[Shard] = []
    paths: list[str] = []
    states: list[tuple[int, int]] = []
    for file in files:
        status = file.stat()
        paths.append(str(file))
        states.append((status.st_size, status.st_mtime_ns))
        if sum(size for size, _ in states) >= min_bytes:
            shards.append(Shard(tuple(paths), part, tuple(states)))
            paths, states = [], []
    return [*shards, Shard(tuple(paths), part, tuple(states))] if paths else shards


def read_shard(shard: Shard, columns: Options) -> Dataset:
    """Read the files of a shard as the others are read."""
    if len(shard.paths) == 1:
        data = read(shard.paths[0], **columns)
    else:
        settings = {name: columns[name] for name in ("encoding", "quoting") if name in columns}
        table = read_shards([Path(path) for path in shard.paths], **settings)
        data = read(PartTables(shard.name, {"": table}), **columns)
    if data.hidden_labels is not None:
        fact = "there are labels -1, which may be a class or a missing label"
        raise AssayError(fact, place=shard.paths[0], hint="Write missing labels as empty cells.")
    return data
