"""Logs of inspect: `.eval` archives with one JSON member a sample and epoch, or the same as one `.json`."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.discrimination.logs.records import Record, content_hash, number, read_json

_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partial, incorrect, no answer: as inspect counts them
_ZSTD = 93
_LARGEST = 2_000_000_000  # bytes of one member unpacked: archives are untrusted


def find(folder: Path) -> list[Path]:
    """Find the archives, and JSON logs that look like inspect's."""
    logs = [path for path in folder.rglob("*.json") if _is_json_log(path)]
    return sorted([*folder.rglob("*.eval"), *logs])


def read(path: Path) -> Iterator[Record]:
    """Yield a record for every sample, epoch and scorer; epochs are repeats, a failed sample is an error."""
    header, samples = _archive(path) if path.suffix == ".eval" else _json_log(path)
    about = header.get("eval", header)
    system, task = str(about.get("model", "unknown")), str(about.get("task", path.stem))
    for sample in samples:
        yield from _records(sample, system, task)


def _records(sample: dict[str, Any], system: str, task: str) -> Iterator[Record]:
    item = content_hash(sample.get("input"), sample.get("target"), sample.get("choices"))
    repeat = str(sample.get("epoch", 1) - 1)
    scores = sample.get("scores") or {}
    failed = bool(sample.get("error"))
    if not scores:
        yield Record(system, task, "", item, None, repeat, error=True)
    for scorer, score in scores.items():
        for name, value in _values(scorer, score.get("value")):
            yield Record(system, task, name, item, None if failed else value, repeat, error=failed or value is None)


def _values(scorer: str, value: Any) -> list[tuple[str, float | None]]:
    if isinstance(value, dict):
        return [(f"{scorer}/{key}", _score(part)) for key, part in value.items()]
    return [(scorer, _score(value))]


def _score(value: Any) -> float | None:
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    return number(value)


def _archive(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            head = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            if head is None:
                raise AssayError(f"{path.name}: no header.json inside; not a log of inspect.")
            members = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
            return _member(path, archive, head), [_member(path, archive, name) for name in sorted(members)]
    except zipfile.BadZipFile as error:
        raise AssayError(f"{path.name}: not a zip archive: {error}.") from error


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> Any:
    info = archive.getinfo(name)
    if info.file_size > _LARGEST:
        raise AssayError(f"{path.name}: {name} unpacks to {info.file_size} bytes; at most {_LARGEST} are read.")
    raw = _zstd_bytes(path, info) if info.compress_type == _ZSTD else archive.read(info)
    try:
        return json.loads(raw)
    except json.JSONDecodeError as error:
        raise AssayError(f"{path.name}: {name} is not valid JSON: {error}.") from error


def _zstd_bytes(path: Path, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member by hand: Python's zipfile knows zip method 93 only from 3.14 on."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        header = file.read(30)
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        file.seek(info.header_offset + 30 + name_length + extra_length)
        packed = file.read(info.compress_size)
    return zstandard.ZstdDecompressor().decompressobj().decompress(packed)


def _is_json_log(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(4096)
    return b'"eval"' in start and b'"run_id"' in start


def _json_log(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    log = read_json(path)
    return log, list(log.get("samples") or [])
