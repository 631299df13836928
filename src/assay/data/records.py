"""Lists of dicts, as Python and JSON have them, into text columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.base.errors import AssayError
from assay.data.cells import Table, refuse_many_columns

_KINDS = {
    dict: "an object",
    list: "a list",
    tuple: "a list",
    str: "a string",
    bool: "true or false",
    bytes: "binary data",
}


def kind_of(value: object) -> str:
    """Name what a value is, in the words of JSON.

    >>> kind_of([1]), kind_of(None), kind_of(2.5)
    ('a list', 'null', 'a number')
    """
    return "null" if value is None else _KINDS.get(type(value), "a number")


def from_records(records: Sequence[Any], place: object, places: Sequence[str] = ()) -> Table:
    """Make text columns of a list of dicts, whose keys need not agree; `places` names the records in errors.

    >>> from_records([{"text": "a", "label": 1}, {"text": 2}], "list").frame.rows()
    [('a', '1'), ('2', None)]
    """
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            where = places[number] if places else f"item {number + 1}"
            raise AssayError(f"{place}, {where}: {kind_of(record)} where an object {{…}} should stand.")
    names = list(dict.fromkeys(name for record in records for name in record))
    refuse_many_columns(len(names), place)
    return from_columns({str(name): [record.get(name) for record in records] for name in names}, places)


def from_columns(columns: dict[str, list[Any]], places: Sequence[str] = ()) -> Table:
    """Make text columns of lists of any values."""
    odd = {name: found for name, values in columns.items() if (found := _odd(values, places))}
    cells = {name: [_cell(value) for value in values] for name, values in columns.items()}
    try:
        frame = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))
    except UnicodeEncodeError:
        whole = {name: [_whole(cell) for cell in values] for name, values in cells.items()}
        frame = pl.DataFrame(whole, schema=dict.fromkeys(cells, pl.String))
    return Table(frame, odd=odd)


def _odd(values: Sequence[Any], places: Sequence[str]) -> str:
    for number, value in enumerate(values):
        if isinstance(value, (dict, list, tuple, bytes)):
            return f"{kind_of(value)} ({places[number] if places else f'item {number + 1}'})"
    return ""


def _whole(cell: str | None) -> str | None:
    """Replace half characters (lone surrogates), which no file can hold, by U+FFFD."""
    return cell if cell is None else cell.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _cell(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or isinstance(value, bytes) or type(value).__name__ == "NAType" or value != value:
        return None
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's too
        return "true" if value else "false"
    return str(value)
