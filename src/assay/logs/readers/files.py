"""Read the JSON files of logs, which are untrusted and may be damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.data.readers.compression import open_stream, read_lines
from assay.system import json
from assay.system.json import RepeatedKeys
from assay.system.limits import max_bytes
from assay.system.links import check_links

MAX_LINE_BYTES = 1 << 28


def list_files(folder: Path, suffix: str | tuple[str, ...]) -> list[Path]:
    """Return the files under a folder whose names end with `suffix`, by path.

    Linked folders are entered once. A link that leads out of the folder is an error.
    """
    entered: set[str] = set()
    files: list[Path] = []
    for home, folders, names in os.walk(folder, followlinks=True):
        entered.add(os.path.realpath(home))
        folders[:] = [name for name in folders if os.path.realpath(Path(home, name)) not in entered]
        check_links([Path(home, name) for name in folders], folder)
        files += [path for name in names if name.endswith(suffix) and (path := Path(home, name)).is_file()]
    check_links(files, folder)
    return sorted(files)


def read_json(path: Path, repeated: RepeatedKeys | None = None) -> Any:
    """Read a JSON file; repeated keys are collected, or else are an error."""
    return json.read_json(path, path.name, repeated=repeated)


def read_companion(path: Path, repeated: RepeatedKeys, default: object) -> Any:
    """Read a JSON file that is next to a log; raise for a link to another folder, return `default` if it is missing."""
    if not path.exists():
        return default
    check_links([path], path.parent)
    return read_json(path, repeated)


def read_json_lines(path: Path, repeated: RepeatedKeys | None = None) -> Iterator[Any]:
    """Yield the values of a JSON lines file, which may be compressed; empty lines are skipped."""
    for number, line in enumerate(read_lines(path, min(MAX_LINE_BYTES, max_bytes() // 4)), 1):
        if line.strip():
            place = f"{path.name}, line {number}"
            yield json.parse_json(line.strip(), place, repeated=repeated, hint="Was the run interrupted?")


def read_start(path: Path, size: int = 65536) -> bytes:
    """Return the first bytes of a file, which show its format; those before any damage."""
    start = b""
    with suppress(AssayError), open_stream(path) as file:
        while len(start) < size and (piece := file.read1(size - len(start))):
            start += piece
    return start
