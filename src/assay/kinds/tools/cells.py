"""Cells that hold several values: lists and objects as JSON or as Python prints them, and text with a separator."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from assay.base.errors import AssayError
from assay.base.json import RepeatedKeys, parse_json, parse_literal


def parse_cell(cell: str | None) -> Any:
    """Return the list or object that a cell holds, None if it holds neither.

    >>> parse_cell('["a", "b"]'), parse_cell("['a', 'b']"), parse_cell("a, b")
    (['a', 'b'], ['a', 'b'], None)
    """
    if cell is None or not cell.strip().startswith(("[", "{", "(")):
        return None
    try:
        return parse_json(cell, "a cell", repeated=RepeatedKeys())
    except AssayError:
        pass
    try:
        value = parse_literal(cell)
    except ValueError:
        return None
    return list(value) if isinstance(value, tuple) else value


def parse_list(cell: str | None) -> list[str] | None:
    """Return the list of texts that a cell holds, None if it holds none; numbers become text.

    >>> parse_list("[1, null]"), parse_list("1")
    (['1', ''], None)
    """
    value = parse_cell(cell)
    return [to_text(each) for each in value] if isinstance(value, list) else None


def to_text(value: object) -> str:
    """Write a value of a list as text.

    >>> to_text("a"), to_text(None), to_text(["x"])
    ('a', '', '["x"]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def are_lists(cells: Iterable[str | None], n_rows: int = 20) -> bool:
    """Return whether the first cells that are not empty hold lists."""
    first = [cell for cell in cells if cell][:n_rows]
    return bool(first) and all(isinstance(parse_cell(cell), list) for cell in first)


def split_labels(cell: str, separator: str) -> list[str]:
    """Split a cell into its labels, in sorted order, each once.

    >>> split_labels("joy| anger|", "|")
    ['anger', 'joy']
    """
    return sorted({label for part in cell.split(separator) if (label := part.strip())})
