"""Samples of lm-evaluation-harness: `<model>/samples_<task>_<date>.jsonl`, one row an item and filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.discrimination.logs.records import Record, content_hash, number, read_lines

_NAME = re.compile(r"^samples_(?P<task>.+?)(_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl$")


def find(folder: Path) -> list[Path]:
    """Find the sample files."""
    return sorted(path for path in folder.rglob("samples_*.jsonl") if _NAME.match(path.name))


def read(path: Path) -> Iterator[Record]:
    """Yield a record for every item, filter and metric; the folder names the model.

    The harness writes one row per filter, so the metric is named with it (`exact_match,strict-match`), as in
    its own results. Items are keyed by `doc_hash`; older logs without it by the document itself.
    """
    match = _NAME.match(path.name)
    assert match
    system, task = path.parent.name.replace("__", "/"), match["task"]
    seen: dict[tuple[str, str], int] = {}
    for row in read_lines(path):
        item = str(row.get("doc_hash") or content_hash(row.get("doc"), row.get("target")))
        filtered = str(row.get("filter", "none"))
        repeat = str(seen.get((item, filtered), 0))
        seen[item, filtered] = int(repeat) + 1
        for metric in _metrics(row):
            score = number(row.get(metric))
            yield Record(system, task, f"{metric},{filtered}", item, score, repeat, error=score is None)


def _metrics(row: dict[str, Any]) -> list[str]:
    """Return the metrics of a row; those that need the whole corpus (lists and tuples of parts) are no item scores."""
    named = row.get("metrics")
    if named is None:
        known = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "doc_hash"}
        known |= {"prompt_hash", "target_hash"}
        named = [name for name, value in row.items() if name not in known and isinstance(value, (int, float))]
    return [name for name in named if not isinstance(row.get(name), (list, dict))]
