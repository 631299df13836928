"""Details of lighteval: `details/<model>/<date>/details_<task>_<date>.parquet`, one row a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.discrimination.logs.records import Record, content_hash, number

_NAME = re.compile(r"^details_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+)\.parquet$")
_METRICS = ("metric", "__metric__", "metrics", "__metrics__")
_DOCS = ("doc", "__doc__")


def find(folder: Path) -> list[Path]:
    """Find the details files."""
    return sorted(path for path in folder.rglob("details_*.parquet") if _NAME.match(path.name))


def read(path: Path) -> Iterator[Record]:
    """Yield a record for every document and metric; `doc.id` may be empty, so the query and choices are the key."""
    import polars as pl

    match = _NAME.match(path.name)
    assert match
    system = _model(path, match["date"])
    seen: dict[str, int] = {}
    for row in pl.read_parquet(path).iter_rows(named=True):
        item = _item(row)
        repeat = str(seen.get(item, 0))
        seen[item] = int(repeat) + 1
        metrics: dict[str, Any] = next((row[name] or {} for name in _METRICS if name in row), {})
        if not metrics:
            yield Record(system, match["task"], "", item, None, repeat, error=True)
        for metric, value in metrics.items():
            score = number(value)
            yield Record(system, match["task"], metric, item, score, repeat, error=score is None)


def _model(path: Path, date: str) -> str:
    """Return the folders between `details` and the date: the model, with its owner where there is one."""
    parts = path.parent.parts[:-1] if path.parent.name == date else path.parent.parts
    if "details" in parts:
        below = parts[len(parts) - parts[::-1].index("details") :]
        return "/".join(below) or "unknown"
    return parts[-1] if parts else "unknown"


def _item(row: dict[str, Any]) -> str:
    doc = next((row[name] for name in _DOCS if name in row), None)
    if isinstance(doc, dict):
        return content_hash(doc.get("query"), doc.get("choices"), doc.get("gold_index"))
    return content_hash(row.get("example") or row.get("full_prompt"), row.get("choices"), row.get("gold"))
