"""Per-item logs of evaluation harnesses, read as they lie on disk."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from assay.base.errors import AssayError
from assay.base.registry import Registry
from assay.discrimination.logs import every_eval_ever, helm, inspect, lighteval, lm_eval, mteb
from assay.discrimination.logs.every_eval_ever import write as write_every_eval_ever
from assay.discrimination.logs.records import Record
from assay.discrimination.logs.table import LogTable, gathered

LOGS: Registry[ModuleType] = Registry(
    "log format",
    {
        "lm-evaluation-harness": lm_eval,
        "inspect": inspect,
        "lighteval": lighteval,
        "helm": helm,
        "mteb": mteb,
        "every-eval-ever": every_eval_ever,
    },
)


def read_logs(path: str | Path, format_: str | None = None) -> LogTable:
    """Read a folder of logs, or one log file, into one table of system × item."""
    place = Path(path)
    if not place.exists():
        raise AssayError(f"{place}: no such file or folder.")
    formats = dict(LOGS) if format_ is None else {format_: LOGS[format_]}
    return gathered(place, formats)


def is_log(path: str | Path) -> bool:
    """Tell whether a path is a folder or a file that a log reader knows by its name."""
    place = Path(path)
    if place.is_dir():
        return True
    named = place.name.startswith("samples_") or place.name.endswith("_samples.jsonl")
    details = place.name.startswith("details_") and place.suffix == ".parquet"
    return named or details or place.suffix == ".eval" or place.name == "per_instance_stats.json"


__all__ = ["LOGS", "LogTable", "Record", "is_log", "read_logs", "write_every_eval_ever"]
