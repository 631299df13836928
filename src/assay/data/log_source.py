"""The logs that data was read from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LogSource:
    """The place of logs, and which of their tasks the data is."""

    path: str
    task: str | None
