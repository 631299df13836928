"""Read the JSON files of logs, which are untrusted and may be damaged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError

MAX_JSON_BYTES = 2_000_000_000  # a document is decoded as a whole, so its size is bounded


def list_files(folder: Path, suffix: str = "") -> list[Path]:
    """Return the files under a folder whose names end with `suffix`, by path; linked folders are entered once."""
    entered: set[str] = set()
    files: list[Path] = []
    for home, folders, names in os.walk(folder, followlinks=True):
        entered.add(os.path.realpath(home))
        folders[:] = [name for name in folders if os.path.realpath(Path(home, name)) not in entered]
        files += [path for name in names if name.endswith(suffix) and (path := Path(home, name)).is_file()]
    return sorted(files)


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    size = path.stat().st_size
    if size > MAX_JSON_BYTES:
        raise AssayError(f"the file has {size:,} bytes; at most {MAX_JSON_BYTES:,} are read", place=path.name)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise AssayError(f"not valid JSON: {error}", place=path.name) from error


def read_json_lines(path: Path) -> Iterator[Any]:
    """Yield the values of a JSON lines file; empty lines are skipped."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise AssayError(
                    f"not valid JSON: {error}", place=f"{path.name}, line {number}", hint="Was the run interrupted?"
                ) from error


def read_start(path: Path, size: int = 65536) -> bytes:
    """Return the first bytes of a file, which show its format."""
    with path.open("rb") as file:
        return file.read(size)
