"""Logs of inspect."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.logs.archives import read_json_member
from assay.logs.files import read_json, read_start
from assay.logs.formats import LOGS, LogReader
from assay.logs.records import LogRecord, hash_content, parse_score

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partial, incorrect, no answer: as inspect counts them
_HEADERS = ("header.json", "_journal/start.json")  # the second one in logs of unfinished runs


@LOGS.add("inspect")
class InspectLogs(LogReader):
    """Read `.eval` archives, which have one JSON member per sample and epoch, and the same log as one `.json`."""

    def find_files(self, folder: Path) -> list[Path]:
        """Return the archives and the JSON logs that look like those of inspect."""
        logs = [path for path in folder.rglob("*.json") if _is_json_log(path)]
        return sorted([*folder.rglob("*.eval"), *logs])

    def read_records(self, path: Path) -> Iterator[LogRecord]:
        """Yield a record for every sample, epoch and scorer; epochs are repeats, a failed sample is an error."""
        header, samples = _read_archive(path) if path.suffix == ".eval" else _read_json_log(path)
        about = header.get("eval", header)
        system, task = str(about.get("model", "unknown")), str(about.get("task", path.stem))
        for sample in samples:
            yield from _read_sample(sample, system, task)

    def recognises(self, path: Path) -> bool:
        """Tell whether a file is an archive of inspect by its name."""
        return path.suffix == ".eval"


def _read_sample(sample: dict[str, Any], system: str, task: str) -> Iterator[LogRecord]:
    item = hash_content(sample.get("input"), sample.get("target"), sample.get("choices"))
    repeat = sample.get("epoch", 1) - 1
    scores = sample.get("scores") or {}
    failed = bool(sample.get("error"))
    if not scores:
        yield LogRecord(system, task, "", item, None, repeat, error=True)
    for scorer, score in scores.items():
        for metric, value in _read_values(scorer, score.get("value")):
            known = None if failed else value
            yield LogRecord(system, task, metric, item, known, repeat, error=failed or value is None)


def _read_values(scorer: str, value: Any) -> list[tuple[str, float | None]]:
    if isinstance(value, dict):
        return [(f"{scorer}/{key}", _parse_value(part)) for key, part in value.items()]
    return [(scorer, _parse_value(value))]


def _parse_value(value: Any) -> float | None:
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    return parse_score(value)


def _read_archive(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            header = next((name for name in _HEADERS if name in names), None)
            if header is None:
                raise AssayError("no header.json inside; not a log of inspect", place=path.name)
            samples = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            content = [read_json_member(archive, path, name) for name in samples]
            return read_json_member(archive, path, header), content
    except zipfile.BadZipFile as error:
        raise AssayError(f"not a zip archive: {error}", place=path.name) from error


def _is_json_log(path: Path) -> bool:
    start = read_start(path, 4096)
    return b'"eval"' in start and b'"run_id"' in start


def _read_json_log(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    log = read_json(path)
    return log, list(log.get("samples") or [])
