"""The arguments with which every entry point reads data: the roles of columns, and how files are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.data.readers.files import PartTables
    from assay.kinds.log_data import LogData


class Frame(Protocol):
    """A frame of pandas or polars, a table of Arrow, or a dataset of Hugging Face."""

    def __len__(self) -> int: ...

    def __getitem__(self, key: str, /) -> object: ...


# What `assay.read` takes: a file, folder, glob, address or name on the hub; a frame; columns by name; a list of rows.
DataSource: TypeAlias = "str | Path | Frame | Dataset | LogData | PartTables | Mapping[str, object] | Sequence[object]"
ColumnNames: TypeAlias = "str | Sequence[str] | None"


@dataclass(frozen=True)
class ReadingSettings:
    """How data is read: a random sample of it, its encoding, what to do with missing cells, one task of logs.

    With `strict`, a log that cannot be read is an error.
    """

    label_separator: str | None = None
    sample: int | None = None
    encoding: str = "utf-8"
    quoting: str = "auto"
    missing: str = "keep"
    log_task: str | None = None
    strict: bool = False


class FileArguments(TypedDict, total=False):
    """The fields of `ReadingSettings`."""

    label_separator: str | None
    sample: int | None
    encoding: str
    quoting: str
    missing: str
    log_task: str | None
    strict: bool


class ReadingArguments(FileArguments, total=False):
    """Everything that `assay.read` takes, except for its source and the random seed."""

    text: ColumnNames
    label: ColumnNames
    id: str | None
    split: str | None
    time: str | None
    group: str | None
    task: str | None
    choices: ColumnNames
    train: DataSource | None
    dev: DataSource | None
    test: DataSource | None


def select_reading(options: Mapping[str, object]) -> ReadingArguments:
    """Return the options that say how data is read; those that are None say nothing."""
    names = ReadingArguments.__annotations__
    return {name: value for name, value in options.items() if name in names and value is not None}  # type: ignore[return-value]
