"""How commands speak: tables to the terminal, JSON where asked, notes to standard error."""

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
    """Tell the user something that is not the result: it goes to standard error."""
    click.echo(note, err=True)


def write_json(target: str, content: Any) -> None:
    """Write JSON to a file, whole or not at all, or to standard output for '-'."""
    text = to_json(content)
    if target == "-":
        sys.stdout.write(text)
        return
    with open_for_writing(target) as file:
        file.write(text)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to the terminal; cells are shown as they are, never read as markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", title_style="bold")
    cells = [list(row) for row in rows]
    for number, column in enumerate(columns):
        words = any(isinstance(row[number], str) for row in cells)
        table.add_column(Text(column), justify="left" if words or number == 0 else "right", overflow="fold")
    for row in cells:
        table.add_row(*(Text(format_number(cell)) for cell in row))
    # Away from a terminal there is no width to fit in, and folded numbers are hard to read.
    Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 180).print(table)
