"""All records of a folder of logs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from assay.data.left_out import LeftOut
from assay.logs.records import LogRecord
from assay.logs.totals import TotalDifference

TaskKey = tuple[str, str, str]  # benchmark, task, metric


@dataclass(frozen=True, eq=False, repr=False)
class LogTable:
    """The records of one or many logs, the formats they came in, and notes on what was counted."""

    input_kind: ClassVar[str] = "logs"
    records: list[LogRecord]
    name: str
    formats: tuple[str, ...]
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    differences: tuple[TotalDifference, ...] | None = None  # None if no total of the harness could be compared

    @property
    def systems(self) -> list[str]:
        """The systems in the order of their files."""
        return list(dict.fromkeys(record.system for record in self.records))

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, sorted."""
        return sorted({record.metric for record in self.records if record.metric})

    def group_items(self, metric: str | None = None) -> dict[TaskKey, list[LogRecord]]:
        """Return the records of items by benchmark, task and metric, of one metric or all."""
        chosen = [record for record in self.records if not record.is_aggregate and record.metric]
        return _group([record for record in chosen if metric in (None, record.metric)])

    def group_aggregates(self) -> dict[TaskKey, list[LogRecord]]:
        """Return the scores of whole tasks by benchmark, task and metric."""
        return _group([record for record in self.records if record.is_aggregate and record.score is not None])

    def to_frame(self, kind: str = "polars") -> Any:
        """Return one row per record as a table of polars or pandas."""
        import polars as pl

        from assay.views.results import convert_frame

        names = ("system", "benchmark", "task", "metric", "item", "repeat", "score", "error", "is_aggregate")
        columns = {name: [getattr(record, name) for record in self.records] for name in names}
        return convert_frame(pl.DataFrame(columns, schema_overrides={"score": pl.Float64}), kind)

    def __repr__(self) -> str:
        tasks = len({(record.benchmark, record.task) for record in self.records})
        counts = f"{len(self.records)} records of {len(self.systems)} systems on {tasks} tasks"
        return f"LogTable({self.name!r}, {', '.join(self.formats)}: {counts})"


def _group(records: list[LogRecord]) -> dict[TaskKey, list[LogRecord]]:
    groups: dict[TaskKey, list[LogRecord]] = {}
    for record in records:
        groups.setdefault((record.benchmark, record.task, record.metric), []).append(record)
    return groups
