"""Cells that hold several values: lists and objects as JSON or as Python prints them, and text with a separator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.system.json import RepeatedKeys, parse_json, parse_literal

# A value of a printed array: quoted, or without spaces and marks.
_ARRAY_VALUE = re.compile(r"""\s*+('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|[^\s'"\[\],]++)""", re.DOTALL)
_DTYPE = re.compile(r",\s*+dtype=\w++\)")

if TYPE_CHECKING:
    from assay.data import Dataset


def parse_cell(cell: str | None) -> Any:
    """Return the list or object that a cell holds, None if it holds neither.

    >>> parse_cell('["a", "b"]'), parse_cell("['a', 'b']"), parse_cell("a, b")
    (['a', 'b'], ['a', 'b'], None)
    >>> parse_cell("['dark blue' 'red']"), parse_cell("[0 1]"), parse_cell("[see below]")
    (['dark blue', 'red'], [0, 1], None)
    """
    if cell is None or not cell.strip().startswith(("[", "{", "(")):
        return None
    try:
        return parse_json(cell, "a cell", repeated=RepeatedKeys())
    except AssayError:
        pass
    printed = _parse_array(cell.strip())
    if printed is not None:
        return printed
    try:
        value = parse_literal(_DTYPE.sub("", cell.replace("array(", "")) if "array(" in cell else cell)
    except ValueError:
        return None
    return list(value) if isinstance(value, tuple) else value


def _parse_array(cell: str) -> list[Any] | None:
    """Return the values of an array as numpy prints it, with spaces between them; None for any other text."""
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    values: list[Any] = []
    position, end = 1, len(cell) - 1
    while match := _ARRAY_VALUE.match(cell, position, end):
        try:
            values.append(parse_literal(match[1]))
        except ValueError:
            return None
        position = match.end()
    return values if values and not cell[position:end].strip() else None


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


def replace_lists(data: Dataset, name: str, lists: Sequence[Sequence[str] | None]) -> Dataset:
    """Return the data with other lists of texts in one of its fields, one list per item."""
    import polars as pl

    return replace(data, fields={**data.fields, name: pl.Series(name, lists, dtype=pl.List(pl.String))})
