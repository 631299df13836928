"""Read the JSON files of logs, which are untrusted and may be damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.base import json
from assay.base.json import RepeatedKeys
from assay.base.limits import check_size, max_bytes
from assay.base.links import check_links


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
    """Yield the values of a JSON lines file; empty lines are skipped."""
    max_line = max_bytes() // 4
    with path.open("rb") as file:
        number = 0
        while line := file.readline(max_line + 1):
            number += 1
            place = f"{path.name}, line {number}"
            check_size(4 * len(line), place)
            if line.strip():
                yield json.parse_json(line.rstrip(), place, repeated=repeated, hint="Was the run interrupted?")


def read_start(path: Path, size: int = 65536) -> bytes:
    """Return the first bytes of a file, which show its format."""
    with path.open("rb") as file:
        return file.read(size)
