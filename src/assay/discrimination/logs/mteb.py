"""Results of MTEB: `results/<model>/<revision>/<Task>.json`; scores of whole tasks, no items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.discrimination.logs.records import Record, number, read_json


def find(folder: Path) -> list[Path]:
    """Find the task files; of several revisions of a model only the one with most tasks counts.

    Mixing revisions would compare two models under one name. Equal counts: the last name wins.
    """
    files = [path for path in folder.rglob("*.json") if path.name != "model_meta.json" and _is_task(path)]
    counts = Counter(path.parent for path in files)
    chosen: dict[Path, Path] = {}
    for revision in sorted(counts):
        best = chosen.get(revision.parent)
        if best is None or counts[revision] >= counts[best]:
            chosen[revision.parent] = revision
    return sorted(path for path in files if chosen[path.parent.parent] == path.parent)


def read(path: Path) -> Iterator[Record]:
    """Yield the main score of a task: the mean over the subsets of its test split, or of its only split."""
    result = read_json(path)
    splits: dict[str, list[dict[str, Any]]] = result["scores"]
    name = "test" if "test" in splits else next(iter(splits))
    values = [number(row.get("main_score")) for row in splits[name]]
    present = [value for value in values if value is not None]
    score = math.fsum(present) / len(present) if present else None
    task = str(result.get("task_name", path.stem))
    yield Record(_model(path), task, "main_score", name, score, error=score is None, benchmark="MTEB", whole=True)


def _model(path: Path) -> str:
    meta = path.parent / "model_meta.json"
    named = read_json(meta).get("name") if meta.exists() else None
    return str(named or path.parent.parent.name.replace("__", "/"))


def _is_task(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(65536)
    return b'"scores"' in start and (b'"task_name"' in start or b'"mteb_version"' in start)
