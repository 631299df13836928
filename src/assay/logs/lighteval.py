"""Details of lighteval."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogRecord, hash_content, parse_score

_NAME = re.compile(r"^details_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+)\.parquet$")
_METRIC_COLUMNS = ("metric", "__metric__", "metrics", "__metrics__")
_DOC_COLUMNS = ("doc", "__doc__")


@LOGS.add("lighteval")
class LightevalLogs(LogReader):
    """Read `details/<model>/<date>/details_<task>_<date>.parquet`, one row per document."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the details files."""
        return sorted(path for path in folder.rglob("details_*.parquet") if _NAME.match(path.name))

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every document and metric; `doc.id` may be empty, so the key is a hash of the document."""
        import polars as pl

        match = _NAME.match(path.name)
        assert match
        system, task = _name_model(path, match["date"]), match["task"]
        repeats: Counter[str] = Counter()
        for row in pl.read_parquet(path).iter_rows(named=True):
            item = _hash_document(row)
            repeat = repeats[item]
            repeats[item] += 1
            metrics: dict[str, Any] = next((row[name] or {} for name in _METRIC_COLUMNS if name in row), {})
            if not metrics:
                yield LogRecord(system, task, "", item, None, repeat, error=True)
            for metric, value in metrics.items():
                score = parse_score(value)
                yield LogRecord(system, task, metric, item, score, repeat, error=score is None)

    def recognises(self, path: Path) -> bool:
        """Tell whether a file is a details file by its name."""
        return path.name.startswith("details_") and path.suffix == ".parquet"


def _name_model(path: Path, date: str) -> str:
    """Return the folders between `details` and the date: the model, with its owner where there is one."""
    parts = path.parent.parts[:-1] if path.parent.name == date else path.parent.parts
    if "details" in parts:
        below = parts[len(parts) - parts[::-1].index("details") :]
        return "/".join(below) or "unknown"
    return parts[-1] if parts else "unknown"


def _hash_document(row: dict[str, Any]) -> str:
    doc = next((row[name] for name in _DOC_COLUMNS if name in row), None)
    if isinstance(doc, dict):
        return hash_content(doc.get("query"), doc.get("choices"), doc.get("gold_index"))
    return hash_content(row.get("example") or row.get("full_prompt"), row.get("choices"), row.get("gold"))
