"""Logs of evaluation harnesses, read as they are on disk: one record per system, item, metric and repeat."""

import assay.logs.readers  # noqa: F401, which registers the formats
from assay.logs.commits import find_commit
from assay.logs.directions import is_lower_better
from assay.logs.eval_results_writer import write_eval_results
from assay.logs.every_eval_ever_writer import write_every_eval_ever
from assay.logs.folders import has_logs, read_logs
from assay.logs.formats import LOGS, LogReader
from assay.logs.joining import JoinedTask, join_each_task, join_tasks
from assay.logs.records import LogItem, LogRecord
from assay.logs.table import LogTable
from assay.logs.tasks import list_tasks

__all__ = [
    "LOGS",
    "JoinedTask",
    "LogItem",
    "LogReader",
    "LogRecord",
    "LogTable",
    "find_commit",
    "has_logs",
    "is_lower_better",
    "join_each_task",
    "join_tasks",
    "list_tasks",
    "read_logs",
    "write_eval_results",
    "write_every_eval_ever",
]
