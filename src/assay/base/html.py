"""Tables for notebooks: plain HTML in which everything from the data is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from assay.base.numbers import format_number

MAX_ROWS = 40
MAX_CHARACTERS = 300


def write_html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> str:
    """Return a table of at most 40 rows, with long texts shortened and numbers rounded.

    >>> write_html_table(["word", "n"], [["<b>", 1200]])
    '<table><thead><tr><th>word</th><th>n</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>1,200</td></tr></tbody></table>'
    """
    cells = [[_write_cell(value) for value in row] for row in rows]
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells[:MAX_ROWS])
    more = f"<p>{len(cells) - MAX_ROWS:,} more rows.</p>" if len(cells) > MAX_ROWS else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _write_cell(value: object) -> str:
    text = "" if value is None else format_number(value)
    return escape(text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…")
