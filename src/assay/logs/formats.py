"""The registry of log formats and what a reader of one must offer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from assay.base.registry import Registry
from assay.logs.records import LogRecord


class LogReader(ABC):
    """Find and read the log files of one evaluation harness."""

    @abstractmethod
    def find_files(self, folder: Path) -> list[Path]:
        """Return the log files under a folder, in a fixed order."""

    @abstractmethod
    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield the records of one file."""

    def recognises(self, path: Path) -> bool:  # noqa: ARG002, formats without telling names recognise nothing
        """Tell whether the name of a file alone shows that it belongs to this format."""
        return False


LOGS: Registry[type[LogReader]] = Registry("log format")
