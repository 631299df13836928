"""The common form of every log: one record per system, item, metric and repeat."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from assay.base.marks import NAME, TEXT


@dataclass(frozen=True)
class LogItem:
    """The content of an item, where the log has it: its text, the accepted answers and the choices."""

    text: str | None = field(default=None, metadata=TEXT)
    gold: tuple[str, ...] = field(default=(), metadata=TEXT)
    choices: tuple[str, ...] = field(default=(), metadata=TEXT)


@dataclass(frozen=True)
class LogRecord:
    """The score of one system on one item; None with `error` where the run failed, which is not a wrong answer.

    `item` is a key that is the same in every log of the item. A record with `is_aggregate` holds the score of a whole
    task. `settings` (few-shot, task arguments, generation parameters), `content` and `answer` are optional.
    """

    system: str = field(metadata=NAME)
    task: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    item: str = field(metadata=NAME)
    score: float | None
    repeat: int = 0
    error: bool = False
    benchmark: str = field(default="all", metadata=NAME)
    is_aggregate: bool = False
    settings: tuple[tuple[str, str], ...] = field(default=(), metadata=NAME)
    content: LogItem | None = None
    answer: str | None = field(default=None, metadata=TEXT)


def hash_content(*parts: Any) -> str:
    """Return a key of an item's content, so that items of two logs match whatever their number or order.

    >>> hash_content("q", ["a"]) == hash_content("q", ["a"])
    True
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def parse_score(value: Any) -> float | None:
    """Read a score: numbers, booleans and numeric strings; None for anything else.

    >>> parse_score(True), parse_score("0.5"), parse_score([1]), parse_score(float("nan"))
    (1.0, 0.5, None, None)
    """
    if isinstance(value, (bool, int, float)):
        return float(value) if value == value else None
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None
