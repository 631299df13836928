"""Lists of dicts, as Python and JSON have them, into text columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from assay.base.errors import AssayError
from assay.base.limits import check_cell_count
from assay.data.columns.table import RawTable, check_column_count

_DESCRIPTIONS = {
    dict: "an object",
    list: "a list",
    tuple: "a list",
    str: "a string",
    bool: "true or false",
    bytes: "binary data",
}


def describe_value(value: object) -> str:
    """Name the type of a value, in the words of JSON.

    >>> describe_value([1]), describe_value(None), describe_value(2.5)
    ('a list', 'null', 'a number')
    """
    return "null" if value is None else _DESCRIPTIONS.get(type(value), "a number")


def records_to_table(records: Sequence[Any], place: object, row_names: Sequence[str] = ()) -> RawTable:
    """Make text columns of a list of dicts, whose keys need not agree; `row_names` names the records in messages.

    >>> records_to_table([{"text": "a", "label": 1}, {"text": 2}], "list").frame.rows()
    [('a', '1'), ('2', None)]
    """
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            row = row_names[number] if row_names else f"item {number + 1}"
            raise AssayError(f"{describe_value(record)} instead of an object {{…}}", place=f"{place}, {row}")
    names = list(dict.fromkeys(name for record in records for name in record))
    check_column_count(len(names), place)
    check_cell_count(len(records), len(names), place)
    return columns_to_table({str(name): [record.get(name) for record in records] for name in names}, row_names)


def columns_to_table(columns: dict[str, list[Any]], row_names: Sequence[str] = ()) -> RawTable:
    """Make text columns of lists of any values."""
    nested = {name: content for name, values in columns.items() if (content := _describe_nested(values, row_names))}
    cells = {name: [_to_text(value) for value in values] for name, values in columns.items()}
    try:
        frame = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))
    except UnicodeEncodeError:
        repaired = {name: [_replace_surrogates(cell) for cell in values] for name, values in cells.items()}
        frame = pl.DataFrame(repaired, schema=dict.fromkeys(cells, pl.String))
    return RawTable(frame, nested=nested)


def _describe_nested(values: Sequence[Any], row_names: Sequence[str]) -> str:
    for number, value in enumerate(values):
        if isinstance(value, (dict, list, tuple, bytes)):
            return f"{describe_value(value)} ({row_names[number] if row_names else f'item {number + 1}'})"
    return ""


def _replace_surrogates(cell: str | None) -> str | None:
    """Replace half characters (lone surrogates), which no file can hold, by U+FFFD."""
    return cell if cell is None else cell.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _to_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or isinstance(value, bytes) or type(value).__name__ == "NAType" or value != value:
        return None
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's too
        return "true" if value else "false"
    return str(value)
