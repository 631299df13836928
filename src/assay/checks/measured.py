"""Everything an audit measured, as rules, rows and the report see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from assay.base.marks import NAME, OWN
from assay.checks.base import CHECKS
from assay.data.left_out import LeftOut
from assay.views.results import Result

T = TypeVar("T", bound=Result)


@dataclass(frozen=True)
class PartSize(Result):
    """How many items a part has."""

    part: str = field(metadata=NAME)
    n: int


@dataclass(frozen=True)
class DataSummary(Result):
    """The audited data."""

    name: str = field(metadata=NAME)
    rows: int
    task: str = field(metadata=OWN)
    fingerprint: str = field(metadata=OWN)
    parts: tuple[PartSize, ...]
    n_labels: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    file: str | None = field(default=None, metadata=NAME)
    first_line: int | None = None  # of the first item in the file, if every item is one line
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True)
class Measurements:
    """The results of the checks that were made, by the names of the checks.

    `find` returns the result of one type. In Python, a result is also an attribute with the name of its check:
    `audit.evidence.splits` is None if the splits were not measured.
    """

    data: DataSummary
    results: Mapping[str, Any] = field(default_factory=dict)

    def find(self, kind: type[T]) -> T | None:
        """Return the result of this type, or None if its check was not made."""
        return next((result for result in self.results.values() if isinstance(result, kind)), None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in CHECKS:
            raise AttributeError(f"The audit has no check '{name}'. Known: {', '.join(CHECKS)}.")
        return self.results.get(name)
