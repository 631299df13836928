"""What every log becomes: one record a system, item, metric and repeat."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError


@dataclass(frozen=True)
class Record:
    """The score of one system on one item; None with `error` where the run failed, which is not a wrong answer."""

    system: str
    dataset: str
    metric: str
    item: str
    score: float | None
    repeat: str = "0"
    error: bool = False
    benchmark: str = "all"
    whole: bool = False  # the score of a whole dataset, not of an item


def content_hash(*parts: Any) -> str:
    """Name an item by what it says, so that two runs mean the same item whatever its number.

    >>> content_hash("q", ["a"]) == content_hash("q", ["a"])
    True
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def read_json(path: Path) -> Any:
    """Read a JSON file, or say where it breaks."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise AssayError(f"{path.name}: not valid JSON: {error}.") from error


def read_lines(path: Path) -> list[Any]:
    """Read a JSON lines file, or name the line that breaks."""
    rows = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise AssayError(
                    f"{path.name}, line {number}: not valid JSON: {error}. Was the run cut off?"
                ) from error
    return rows


def number(value: Any) -> float | None:
    """Read a score: numbers and booleans as they are, anything else is none.

    >>> number(True), number("0.5"), number([1]), number(float("nan"))
    (1.0, 0.5, None, None)
    """
    if isinstance(value, (bool, int, float)):
        return float(value) if value == value else None
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None
