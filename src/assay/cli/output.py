"""Output of the commands: tables on the terminal, JSON on request, notes on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click

from assay.base.codec import to_json
from assay.base.files import open_for_writing
from assay.base.numbers import format_number


def say(note: str) -> None:
    """Print a note on standard error, apart from the result."""
    click.echo(note, err=True)


def write_json(target: str, content: Any) -> None:
    """Write JSON to a file, completely or not at all, or to standard output for '-'."""
    text = to_json(content)
    if target == "-":
        sys.stdout.write(text)
        return
    with open_for_writing(target) as file:
        file.write(text)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to the terminal; cells are never read as markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", title_style="bold")
    cells = [list(row) for row in rows]
    for number, column in enumerate(columns):
        has_text = any(isinstance(row[number], str) for row in cells)
        table.add_column(Text(column), justify="left" if has_text or number == 0 else "right", overflow="fold")
    for row in cells:
        table.add_row(*(Text(format_number(cell)) for cell in row))
    # Outside a terminal there is no width to fit, and folded numbers are hard to read.
    Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 180).print(table)
