"""Logs of evaluation harnesses, read as they are on disk: one record per system, item, metric and repeat."""

from assay.base.lazy import import_modules
from assay.logs.every_eval_ever_writer import write_every_eval_ever
from assay.logs.folders import is_log, read_logs
from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogItem, LogRecord
from assay.logs.table import LogTable

import_modules(__name__, __path__)

__all__ = [
    "LOGS",
    "LogItem",
    "LogReader",
    "LogRecord",
    "LogTable",
    "is_log",
    "read_logs",
    "write_every_eval_ever",
]
