"""Data in shards: which files there are, and how each is read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.data.readers.files import find_files

if TYPE_CHECKING:
    from assay.data import Dataset

TASK = "classification"


@dataclass(frozen=True)
class Shard:
    """A file, the part it belongs to (empty where its name gives none), and its size and time of change."""

    path: str
    part: str
    state: tuple[int, int]


@dataclass(frozen=True)
class ShardedData:
    """Files with the same columns: one text per item and, where there is one, a label.

    `columns` names the roles, as in `assay.read`, so that every shard is read alike.
    """

    name: str
    shards: tuple[Shard, ...]
    columns: dict[str, Any] = field(default_factory=dict)
    task: str = TASK
    n_rows: int = 0  # known when the shards have been read

    @property
    def has_file_parts(self) -> bool:
        """Tell whether the names of the files say which part they are."""
        return any(shard.part for shard in self.shards)

    def __len__(self) -> int:
        return self.n_rows

    @property
    def fingerprint(self) -> str:
        """Return a hash of the files' names, sizes and times of change."""
        return hashlib.sha256(repr([(shard.path, shard.state) for shard in self.shards]).encode()).hexdigest()


def find_shards(source: str | Path, **columns: Any) -> ShardedData:
    """Find the files of a folder or glob, and recognise the columns in the first."""
    groups, _ = find_files(source)
    shards = [
        Shard(str(file), part, (file.stat().st_size, file.stat().st_mtime_ns))
        for part, files in groups.items()
        for file in files
    ]
    from assay.kinds.reading import name_source

    columns = {name: value for name, value in columns.items() if value is not None}
    data = read_shard(shards[0], columns)
    if data.task != TASK or len(data.sides) != 1:
        fact = f"the data is of the task {data.task}: shards are read one by one for single texts with a label only"
        raise AssayError(fact, place=source, hint="Name the columns with {text} and {label}, or read it in memory.")
    return ShardedData(name_source(source, {}), tuple(shards), columns | {"task": TASK})


def read_shard(shard: Shard, columns: dict[str, Any]) -> Dataset:
    """Read one file as the others are read."""
    from assay.kinds import read

    data = read(shard.path, **columns)
    if data.hidden_labels is not None:
        fact = "there are labels -1, which may be a class or a missing label"
        raise AssayError(fact, place=shard.path, hint="Write missing labels as empty cells.")
    return data
