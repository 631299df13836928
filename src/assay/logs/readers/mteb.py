"""Results of MTEB."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.logs.formats import LOGS, LogReader
from assay.logs.readers.files import list_files, read_companion, read_json, read_start
from assay.logs.records import LogRecord, parse_score
from assay.system.json import RepeatedKeys


@LOGS.add("mteb")
class MtebLogs(LogReader):
    """Read `results/<model>/<revision>/<Task>.json`: scores of whole tasks, no items."""

    companions: ClassVar = ("model_meta.json",)

    def find_files(self, folder: Path) -> list[Path]:
        """Return the task files of one revision per model: the one with most tasks, of equal ones the last name.

        Mixing revisions would compare two models under one name.
        """
        files = [path for path in list_files(folder, ".json") if path.name != "model_meta.json" and _is_task(path)]
        counts = Counter(path.parent for path in files)
        chosen: dict[Path, Path] = {}
        for revision in sorted(counts):
            best = chosen.get(revision.parent)
            if best is None or counts[revision] >= counts[best]:
                chosen[revision.parent] = revision
        return sorted(path for path in files if chosen[path.parent.parent] == path.parent)

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield the main score of a task: the mean over the subsets of its test split, or of its only split."""
        result = read_json(path, self.repeated)
        splits: dict[str, list[dict[str, Any]]] = result["scores"]
        split = "test" if "test" in splits else next(iter(splits))
        values = [parse_score(row.get("main_score")) for row in splits[split]]
        present = [value for value in values if value is not None]
        score = math.fsum(present) / len(present) if present else None
        system, task = _name_model(path, self.repeated), str(result.get("task_name", path.stem))
        yield LogRecord(
            system, task, "main_score", split, score, error=score is None, benchmark="MTEB", is_aggregate=True
        )

    def accepts(self, path: Path) -> bool:
        """Return whether a file holds the scores of a task."""
        return path.suffix == ".json" and path.is_file() and _is_task(path)


def _name_model(path: Path, repeated: RepeatedKeys) -> str:
    name = read_companion(path.parent / "model_meta.json", repeated, {}).get("name")
    return str(name or path.parent.parent.name.replace("__", "/"))


def _is_task(path: Path) -> bool:
    start = read_start(path)
    return b'"scores"' in start and (b'"task_name"' in start or b'"mteb_version"' in start)
