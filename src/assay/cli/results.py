"""How every command ends: its result on the terminal, as JSON, and its main table as CSV, Markdown or LaTeX."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.base.parameters import Options
from assay.cli.output import print_sentence, say, show_table, write_json
from assay.cli.paths import OUTPUT, TABLE_FILES
from assay.system.files import open_for_writing
from assay.views.blocks import Block, Sentence, Table, collect_blocks
from assay.views.rendering import TABLE_FORMATS, render_html, require_table
from assay.views.results import Result, wrap_result

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

Command = TypeVar("Command", bound=Callable[..., Any])
TABLE_PRINTED = "assay.table_printed"  # in the context of a command: a table went to standard output
HTML_FILE = "ASSAY_RESULT_HTML"  # environment variable: a file that results are also written to, for the web page
MAX_ROWS = 40  # of a table on the terminal; files have all


def table_options(command: Command) -> Command:
    """Add --csv, --markdown and --latex, which write the main table of the command's result."""
    for name in reversed(TABLE_FORMATS):
        option = click.option(
            f"--{name}",
            type=OUTPUT,
            metavar="FILE",
            expose_value=False,
            callback=_remember_file,
            help=f"Write the main table as {name.upper() if name == 'csv' else name.title().replace('tex', 'TeX')}.",
        )
        command = option(command)
    return command


def _remember_file(context: click.Context, option: click.Parameter, path: str | None) -> None:
    if path is not None:
        context.meta.setdefault(TABLE_FILES, {})[option.name] = path


def finish(
    command: str,
    result: Result,
    json_: str | None,
    settings: Options,
    data: Dataset | None = None,
    *,
    about: Options | None = None,
    show: bool = True,
) -> None:
    """Print the notes and the blocks of a result, and write the files that were asked for.

    `about` describes the data of the JSON if there is no `Dataset`. Nothing but JSON goes to standard output under
    `--json -`, and nothing but the table under `--csv -`.
    """
    for note in getattr(result, "notes", ()):
        say(note)
    if json_:
        content = wrap_result(command, result, settings, data)
        write_json(json_, content if about is None else content | {"data": about})
    write_tables(result)
    if show and shows_result(json_):
        print_blocks(result.blocks(), "" if data is None else data.name)


def shows_result(json_: str | None) -> bool:
    """Return False if standard output has the JSON or a table, to which nothing else is printed."""
    context = click.get_current_context(silent=True)
    return json_ != "-" and (context is None or TABLE_PRINTED not in context.meta)


def write_tables(result: Result) -> None:
    """Write the main table of a result to the files of --csv, --markdown and --latex."""
    write_table(result.blocks())


def write_table(blocks: Iterable[Block]) -> None:
    """Write the main table of some blocks to the files of --csv, --markdown and --latex."""
    blocks = list(blocks)
    context = click.get_current_context(silent=True)
    files: dict[str, str] = {} if context is None else context.meta.pop(TABLE_FILES, {})
    for form, path in files.items():
        text = TABLE_FORMATS[form](require_table(blocks))
        if path == "-":
            sys.stdout.write(text)
            click.get_current_context().meta[TABLE_PRINTED] = True
            continue
        with open_for_writing(path) as file:
            file.write(text)


def write_rows(path: str, table: pl.DataFrame) -> None:
    """Write a frame as TSV; tabs and line breaks within texts become spaces."""
    import polars as pl

    plain = table.with_columns(pl.col(pl.String).str.replace_all(r"[\t\r\n]+", " "))
    with open_for_writing(path) as file:
        file.write(plain.write_csv(separator="\t", quote_style="never", null_value=""))


def print_blocks(blocks: Iterable[Block], title: str = "") -> None:
    """Print facts as one table with a title, then tables and sentences in their order, the verdict last and bold."""
    listed = list(blocks)
    view = collect_blocks(listed)
    if path := os.environ.get(HTML_FILE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(render_html(listed, title))
    if view.facts:
        show_table(title, ["", ""], [[fact.name, fact.number] for fact in view.facts])
    for block in listed:
        if isinstance(block, Table):
            print_table(block)
        elif isinstance(block, Sentence) and not block.is_verdict:
            print_sentence(block.text)
    if view.verdict:
        print_sentence(view.verdict, bold=True)


def print_table(table: Table) -> None:
    """Print a table with its first rows."""
    if not table.rows:
        return
    table = table.without_empty_columns()
    show_table(table.title, table.headings, table.cells[:MAX_ROWS], table.has_text)
    if len(table.rows) > MAX_ROWS:
        say(f"{len(table.rows) - MAX_ROWS:,} more rows are in the files of --csv and --json.")
