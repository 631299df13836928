"""The registry of log formats and what a reader of one must offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import ClassVar

from assay.base.registry import Registry
from assay.data.left_out import LeftOut
from assay.logs.records import LogItem, LogRecord
from assay.logs.response_store import LogResponse, ResponseStore
from assay.logs.totals import HarnessTotal
from assay.system.json import RepeatedKeys


class LogReader(ABC):
    """Find and read the log files of one evaluation harness; one object reads all files of a folder.

    `notes` collects what a user should know about the runs that were read, `repeated` the repeated keys in their JSON.
    `store` takes the responses if they are wanted.
    """

    example: ClassVar[Mapping[str, str]] = {}
    """The files of a small run by their paths, for tests and damage tests."""
    companions: ClassVar[tuple[str, ...]] = ()
    """Patterns of the names of files next to logs that belong to a run and are not logs."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.repeated = RepeatedKeys()
        self.store: ResponseStore | None = None
        self.totals: list[HarnessTotal] = []  # of the file that was read last
        self.left_out: list[LeftOut] = []
        self._contents: dict[LogItem, LogItem] = {}

    @abstractmethod
    def find_files(self, folder: Path) -> list[Path]:
        """Return the log files under a folder, in a fixed order."""

    @abstractmethod
    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield the records of one file."""

    def recognises(self, path: Path) -> bool:  # noqa: ARG002, formats without telling names recognise nothing
        """Return whether the name of a file alone shows that it belongs to this format."""
        return False

    def accepts(self, path: Path) -> bool:
        """Return whether a file belongs to this format, by its name or its first bytes."""
        return self.recognises(path)

    def has_unique_name(self, path: Path) -> bool:  # noqa: ARG002, names are not unique unless a format says so
        """Return whether no other run has a file of this name and content, so that a second one is a copy."""
        return False

    def keep_response(self, describe: Callable[[], LogResponse | None]) -> int | None:
        """Store a response if responses are wanted, and return its row."""
        response = None if self.store is None else describe()
        return None if self.store is None or response is None else self.store.add(response)

    def share(self, content: LogItem) -> LogItem:
        """Return the same object for the same content, which many runs have in common."""
        return self._contents.setdefault(content, content)


LOGS: Registry[type[LogReader]] = Registry("log format", plugins=True)


def is_companion(name: str) -> bool:
    """Return whether a file of this name belongs to a run if it is next to a log.

    >>> LOGS["helm"].companions[0], is_companion("run_spec.json"), is_companion("data.json")
    ('run_spec.json', True, False)
    """
    return any(fnmatchcase(name, pattern) for reader in LOGS.values() for pattern in reader.companions)
