"""Lists of dicts, as Python and JSON have them, into text columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assay.base.errors import AssayError
from assay.data.columns.parts import PART_NAMES, normalise_part
from assay.data.columns.table import RawTable, check_column_count
from assay.system.limits import check_cell_count

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


def find_records(document: object) -> list[Any] | None:
    """Return the list of objects that a document is, or that is under one of its keys; None if there is none.

    Under several keys that name parts, the objects of all parts get the key `split`.

    >>> find_records({"version": 1, "data": [{"a": 1}]}), find_records({"a": [1], "b": [2]})
    ([{'a': 1}], None)
    >>> find_records({"one": {"a": 1}, "two": {"a": 2}})
    [{'name': 'one', 'a': 1}, {'name': 'two', 'a': 2}]
    >>> find_records({"train": [{"a": 1}], "test": [{"a": 2}]})
    [{'split': 'train', 'a': 1}, {'split': 'test', 'a': 2}]
    """
    if isinstance(document, list):
        return document
    if not isinstance(document, Mapping):
        return None
    if len(document) > 1 and all(isinstance(value, dict) and value for value in document.values()):
        return _name_records(document)
    lists = {str(name): value for name, value in document.items() if _are_records(value)}
    if len(lists) > 1 and all(normalise_part(name) in PART_NAMES for name in lists):
        return [{"split": name, **record} for name, records in lists.items() for record in records]
    others = [value for name, value in document.items() if name not in lists]
    return (
        next(iter(lists.values())) if len(lists) == 1 and not any(isinstance(each, list) for each in others) else None
    )


def _name_records(document: Mapping[str, Any]) -> list[Any] | None:
    """Return objects that have names, each with its name as `name`, if they share keys; None for other objects.

    Objects whose keys are the numbers of rows are columns, as pandas writes them.
    """
    shared = set.intersection(*(set(record) for record in document.values()))
    if shared and all(str(key).isdigit() for key in shared):
        rows = next(iter(document.values()))
        return [{name: column.get(row) for name, column in document.items()} for row in rows]
    return [{"name": name, **record} for name, record in document.items()] if shared and "name" not in shared else None


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(record, dict) for record in value)


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


def columns_to_table(columns: dict[str, list[object]], row_names: Sequence[str] = ()) -> RawTable:
    """Make text columns of lists of any values."""
    texts: dict[str, pl.Series] = {}
    nested: dict[str, str] = {}
    for name, values in columns.items():
        try:
            texts[name] = pl.Series(name, values, dtype=pl.String)  # an error if any is no text
        except (TypeError, UnicodeEncodeError):
            if content := _describe_nested(values, row_names):
                nested[name] = content
            texts[name] = pl.Series(name, [_replace_surrogates(_to_text(value)) for value in values], dtype=pl.String)
    return RawTable(pl.DataFrame(texts), nested=nested)


def _describe_nested(values: Sequence[object], row_names: Sequence[str]) -> str:
    for number, value in enumerate(values):
        if isinstance(value, (dict, list, tuple, bytes)):
            return f"{describe_value(value)} ({row_names[number] if row_names else f'item {number + 1}'})"
    return ""


def _replace_surrogates(cell: str | None) -> str | None:
    """Replace half characters (lone surrogates), which no file can hold, by U+FFFD."""
    return cell if cell is None else cell.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _to_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or isinstance(value, bytes) or type(value).__name__ == "NAType" or value != value:
        return None
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's too
        return "true" if value else "false"
    return str(value)
