"""Files of a folder of logs that no format reads: a damaged log must not disappear without a word."""

from __future__ import annotations

from pathlib import Path

from assay.logs.formats import LOGS
from assay.logs.readers.files import list_files

SUFFIXES = (".json", ".jsonl", ".eval", ".parquet")
# Files that harnesses write next to their logs.
_COMPANIONS = ("*.schema.json", "model_meta.json", "results_*.json", "logs.json", "eval-set.json", "package.json")
_RUN_MARK = "per_instance_stats.json"  # the other files of its folder describe the same run


def find_unread(place: Path) -> list[str]:
    """Return the names of files that look like logs and are read by no format."""
    if not place.is_dir():
        return []
    used = {file for reader in LOGS.values() for file in reader().find_files(place)}
    return [path.name for path in list_files(place, SUFFIXES) if path not in used and not _is_companion(path, used)]


def _is_companion(path: Path, used: set[Path]) -> bool:
    if path.with_name(_RUN_MARK) in used or path.with_name(f"{path.stem}_samples.jsonl") in used:
        return True
    return any(path.match(pattern) for pattern in _COMPANIONS)
