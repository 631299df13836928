"""The result of auditing several tasks, and how it is written to JSON and read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from assay.audits.result import Audit, read_audit_file
from assay.base.codec import from_plain
from assay.base.errors import AssayError
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.checks.findings import Finding
from assay.discrimination.suites import TaskComparison
from assay.views.blocks import Block
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

_FIELDS = {"verdict", "tasks", "audits", "comparison"}


@dataclass(frozen=True)
class TaskSummary(Result):
    """One task in a row: its size, the mean score, whether it tells systems apart, and how many findings it has.

    `discriminates` is the verdict of the discrimination section, None if it was not measured.
    """

    task: str = field(metadata=NAME)
    kind: str = field(metadata=OWN)
    n_items: int
    n_systems: int
    mean: float
    redundancy: float
    discriminates: str | None = field(metadata=OWN)
    p_equal: float
    n_errors: int
    n_warnings: int
    n_notes: int


@dataclass(frozen=True)
class SuiteAudit(Result):
    """The audits of several tasks by name, and what they show together; `left_out` says why a task has no audit.

    `comparison` has the scores and ranks of systems over all tasks, and the correlation of each pair of tasks; None
    if fewer than two tasks have systems.
    """

    verdict: str = field(metadata=NAME)
    name: str = field(metadata=NAME)
    tasks: tuple[TaskSummary, ...]
    comparison: TaskComparison | None
    left_out: dict[str, str] = field(metadata=NAME)
    audits: dict[str, Audit] = field(repr=False)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all tasks."""
        return tuple(finding for audit in self.audits.values() for finding in audit.findings)

    @property
    def interrupted(self) -> bool:
        """Return whether the user stopped the run."""
        return any(audit.settings.interrupted for audit in self.audits.values())

    def __iter__(self) -> Iterator[tuple[str, Audit]]:
        """Yield each task with its audit."""
        return iter(self.audits.items())

    def join_items(self) -> pl.DataFrame:
        """Return the items of all tasks, with the task in the first column."""
        import polars as pl

        frames = [
            audit.items.select(pl.lit(task).alias("task"), pl.all())
            for task, audit in self.audits.items()
            if audit.items is not None
        ]
        return pl.concat(frames, how="diagonal_relaxed") if frames else pl.DataFrame({"task": [], "id": []})

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild a suite from what `to_dict` returned, or from the content of its JSON file."""
        values = values.get("result", values)
        if not is_suite(values):
            raise AssayError(
                "This is not an audit of several tasks.", hint="Make one with: assay audit LOGS --json FILE."
            )
        parts = from_plain(_SuiteWithoutAudits, {name: value for name, value in values.items() if name != "audits"})
        return cls(audits={name: Audit.from_dict(audit) for name, audit in values["audits"].items()}, **vars(parts))

    @classmethod
    def from_json(cls, path: str | Path) -> Self:
        """Read a suite from its JSON file."""
        return read_audit_file(path, cls.from_dict)

    def blocks(self) -> Iterator[Block]:
        """Yield the tasks, the systems over all tasks, and the verdict."""
        from assay.audits.view import show_suite

        yield from show_suite(self)

    def _frame(self) -> pl.DataFrame:
        """Return one row per task."""
        import polars as pl

        return pl.DataFrame([row.to_dict() for row in self.tasks], infer_schema_length=None)


@dataclass(frozen=True)
class _SuiteWithoutAudits:
    """The fields of a suite that are read by their types alone."""

    verdict: str
    name: str
    tasks: tuple[TaskSummary, ...]
    comparison: TaskComparison | None
    left_out: dict[str, str]


def is_suite(values: Any) -> bool:
    """Return whether the content of a JSON file is an audit of several tasks."""
    content = values.get("result", values) if isinstance(values, dict) else {}
    return isinstance(content, dict) and content.keys() >= _FIELDS
