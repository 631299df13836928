"""Output of the commands: tables on the terminal, JSON on request, notes on standard error."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from assay.base.codec import to_json
from assay.base.errors import UsageError
from assay.cli.verbosity import get_level
from assay.system.files import open_for_writing
from assay.system.terminal import (
    get_styled,
    has_colour,
    make_console,
    write_unchanged,
)
from assay.wording.characters import break_inner_commands, escape_hidden, escape_json
from assay.wording.numbers import format_number

PIPE_WIDTH = 100
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


def say(note: str) -> None:
    """Print a note on standard error, apart from the result; with -q, print nothing."""
    if get_level() != "quiet":
        print_sentence(note, err=True)


def print_sentence(text: str, *, err: bool = False, **style: Any) -> None:
    """Print a sentence, on a terminal wrapped between words; elsewhere on one line."""
    is_terminal = (sys.stderr if err else sys.stdout).isatty() or "COLUMNS" in os.environ
    line = " ".join(text.splitlines())  # names in a sentence may have line breaks
    echo(wrap_words(line, shutil.get_terminal_size().columns) if is_terminal else line, err=err, **style)


def echo(text: str, rest: str = "", *, err: bool = False, **style: Any) -> None:
    """Print text in a style, and the rest of the line without it; outside a terminal nothing has a style."""
    stream = sys.stderr if err else sys.stdout
    if not style or not has_colour(stream):
        stream.write(f"{text}{rest}\n")
    else:
        get_styled(stream).write(f"{click.style(escape_hidden(text), **style)}{escape_hidden(rest)}\n")
    stream.flush()


def write_json(target: str, content: object) -> None:
    """Write JSON to a file, completely or not at all, or to standard output for '-'."""
    text = to_json(content)
    if target == "-":
        print_json(text)
        return
    with open_for_writing(target) as file:
        file.write(text)


def print_json(text: str) -> None:
    """Print JSON on standard output, escaped as far as a terminal, a log or the encoding needs it."""
    write_unchanged(escape_json(text, sys.stdout.encoding or "utf-8"))


def print_export(text: str, format_name: str) -> None:
    """Print findings for a machine: JSON, SARIF, JUnit XML, or commands for GitHub."""
    write_unchanged(text) if format_name in ("github", "junit") else print_json(text)


def append_step_summary(text: str) -> None:
    """Append Markdown to the summary of a step of a GitHub workflow."""
    path = os.environ.get(STEP_SUMMARY)
    if not path:
        hint = "GitHub sets it in every step; elsewhere use --markdown FILE."
        raise UsageError(f"--step-summary: the variable {STEP_SUMMARY} is not set.", hint=hint)
    with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123, other steps write to the same file
        file.write(text)


def show_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], is_text: Sequence[bool] | None = None
) -> None:
    """Print a table to the terminal, or one block per row if it is too narrow for whole words.

    `is_text` tells which columns are aligned to the left, by default those with text. Cells are never read as markup.
    """
    from rich.box import SIMPLE_HEAD
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    table = Table()
    cells = [list(row) for row in rows]
    for number, column in enumerate(columns):
        has_text = is_text[number] if is_text else any(isinstance(row[number], str) for row in cells)
        table.add_column(Text(column), justify="left" if has_text or number == 0 else "right", overflow="fold")
    for row in cells:
        table.add_row(*(Text(break_inner_commands(escape_hidden(format_number(cell)))) for cell in row))
    console = make_console(width=choose_width())
    console.print(Text(title, style="bold"))
    unlimited = console.options.update_width(10_000)
    if Measurement.get(console, unlimited, table).minimum <= console.width:
        console.print(table)
        return
    table.box, table.pad_edge, table.padding = SIMPLE_HEAD, False, 0
    if Measurement.get(console, unlimited, table).maximum <= console.width:
        console.print(table)
        return
    for row in cells:
        echo(write_record(columns, [format_number(cell) for cell in row], console.width))


def choose_width() -> int | None:
    """Return the width to print to; None for that of the terminal.

    Pipes and files get the width that paragraphs have in a wide terminal.
    """
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH


def write_record(columns: Sequence[str], cells: Sequence[str], width: int) -> str:
    """Write one row as its first cell, and the others below it with the names of their columns.

    >>> print(write_record(["system", "score", "rank"], ["a-long-name", "81.2", "3"], 40))
    a-long-name
      score 81.2 · rank 3
    """
    rest = " · ".join(f"{name} {cell}" for name, cell in zip(columns[1:], cells[1:], strict=True) if cell)
    head = wrap_words(cells[0] or "–", width)
    return f"{head}\n{wrap_words(rest, width, '  ')}" if rest else head


def wrap_words(text: str, width: int, indent: str = "", first: str | None = None) -> str:
    """Wrap text between words, never inside them; `first` takes the place of the indent in the first line.

    >>> print(wrap_words("a few plain words in a row", 20, "  "))
      a few plain words
      in a row
    """
    lead = indent if first is None else first
    return textwrap.fill(
        text,
        max(20, width),
        initial_indent=lead,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
