"""Samples of lm-evaluation-harness."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.logs.files import read_json_lines
from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogRecord, hash_content, parse_score

_NAME = re.compile(r"^samples_(?P<task>.+?)(_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl$")
_NOT_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}
_NOT_METRICS |= {"doc_hash", "prompt_hash", "target_hash"}


@LOGS.add("lm-evaluation-harness")
class LmEvalLogs(LogReader):
    """Read `<model>/samples_<task>_<date>.jsonl`, one row per item and filter."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the sample files."""
        return sorted(path for path in folder.rglob("samples_*.jsonl") if self.recognises(path))

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every item, filter and metric; the folder names the model.

        The harness writes one row per filter, so the metric carries its name (`exact_match,strict-match`), as in the
        results of the harness. The item key is `doc_hash`, in older logs a hash of the document.
        """
        match = _NAME.match(path.name)
        assert match
        system, task = path.parent.name.replace("__", "/"), match["task"]
        repeats: Counter[tuple[str, str]] = Counter()
        for row in read_json_lines(path):
            item = str(row.get("doc_hash") or hash_content(row.get("doc"), row.get("target")))
            filter_name = str(row.get("filter", "none"))
            repeat = repeats[item, filter_name]
            repeats[item, filter_name] += 1
            for metric in _list_metrics(row):
                score = parse_score(row.get(metric))
                yield LogRecord(system, task, f"{metric},{filter_name}", item, score, repeat, error=score is None)

    def recognises(self, path: Path) -> bool:
        """Tell whether a file is a sample file by its name."""
        return _NAME.match(path.name) is not None


def _list_metrics(row: dict[str, Any]) -> list[str]:
    """Return the metrics of a row; lists and dictionaries are parts of corpus metrics and not scores of the item."""
    names = row.get("metrics")
    if names is None:
        names = [name for name, value in row.items() if name not in _NOT_METRICS and isinstance(value, (int, float))]
    return [name for name in names if not isinstance(row.get(name), (list, dict))]
