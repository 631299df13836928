"""The parts that every output is made of: facts, tables and sentences, with values that are not yet formatted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assay.views.values import ItemCount
from assay.wording.numbers import NO_VALUE, Estimate, format_interval, format_number, format_percent

Value = Estimate | ItemCount | float | int | str | None


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and how its values are written.

    `form` is "number" (also for names and intervals), "percent" for shares, "points" for differences of shares,
    "p" for p-values, or "rounded:2" for a fixed number of decimals.
    """

    heading: str
    form: str = "number"


@dataclass(frozen=True)
class Fact:
    """One value: its name, the value with its unit, and how it was measured."""

    name: str
    value: Value
    method: str
    form: str = "number"

    @property
    def number(self) -> str:
        """Return the value as text."""
        return format_value(self.value, self.form)


@dataclass(frozen=True)
class Table:
    """Rows of values under columns, and how they were measured. `shows_words` marks tables of words of the texts."""

    title: str
    columns: Sequence[Column | str]
    rows: Sequence[Sequence[Value]]
    method: str = ""
    shows_words: bool = False
    is_main: bool = False  # the table that --csv, --markdown and --latex write

    @property
    def headings(self) -> list[str]:
        """Return the headings of the columns."""
        return [column.heading if isinstance(column, Column) else column for column in self.columns]

    @property
    def has_text(self) -> list[bool]:
        """Return which columns hold text; the others are aligned to the right."""
        return [any(isinstance(row[place], str) for row in self.rows) for place in range(len(self.columns))]

    @property
    def cells(self) -> list[list[str]]:
        """Return the rows as text."""
        forms = [column.form if isinstance(column, Column) else "number" for column in self.columns]
        return [[format_value(value, form) for value, form in zip(row, forms, strict=True)] for row in self.rows]

    def without_empty_columns(self) -> Table:
        """Return the table without the columns that have no value in any row; the first column stays."""
        cells = self.cells
        kept = [n for n in range(len(self.columns)) if n == 0 or any(row[n] not in ("", NO_VALUE) for row in cells)]
        columns = [self.columns[n] for n in kept]
        return replace(self, columns=columns, rows=[[row[n] for n in kept] for row in self.rows])


@dataclass(frozen=True)
class Sentence:
    """A sentence about a result; text from the data in it is in double quotes."""

    text: str
    is_verdict: bool = False  # the sentence that sums up the result


Block = Fact | Table | Sentence


def format_value(value: Value, form: str = "number") -> str:
    """Write a value as text; this is the only place where values of facts and tables are rounded.

    >>> from assay.views.values import Interval
    >>> format_value(0.25), format_value(0.25, "percent"), format_value(Interval(0.81372, 0.771, 0.852), "percent")
    ('0.25', '25%', '81% [77, 85]')
    >>> format_value(ItemCount(3, 250)), format_value(3e-8, "p"), format_value(None)
    ('3 of 250 (1.2%)', '< 0.0001', 'n/a')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, ItemCount):
        return f"{format_number(value.count)} of {format_number(value.n)} ({format_percent(value.share)})"
    return format_interval(value, form) if isinstance(value, Estimate) else format_number(value, form)


def make_fact(name: str, value: Value, method: str, form: str = "number") -> Iterable[Fact]:
    """Yield a fact, or nothing if its value is undefined."""
    if isinstance(value, ItemCount):
        if not value.n:
            return
        method = f"{method} Counted on all items, so exact."
    elif not isinstance(value, str):
        number = value.value if isinstance(value, Estimate) else value
        if number is None or not math.isfinite(number):
            return
    yield Fact(name, value, method, form)


def make_table(
    title: str,
    rows: Iterable[Any],
    columns: Mapping[str | Column, Callable[[Any], Value]],
    method: str = "",
    *,
    shows_words: bool = False,
    is_main: bool = False,
    max_rows: int | None = None,
) -> Iterable[Table]:
    """Yield a table with one row per object, or nothing if there are none; `columns` says how to get each value.

    >>> table, = make_table("Words", ["a", "bb"], {"word": str, "length": len})
    >>> table.headings, table.cells
    (['word', 'length'], [['a', '1'], ['bb', '2']])
    """
    listed = list(rows)
    shown = listed if max_rows is None else listed[:max_rows]
    if len(shown) < len(listed):
        method = f"{method} The first {len(shown):,} of {len(listed):,}; the JSON has all.".strip()
    if shown:
        cells = [[get(row) for get in columns.values()] for row in shown]
        yield Table(title, list(columns), cells, method, shows_words, is_main)


@dataclass(frozen=True)
class View:
    """The blocks of a result, sorted by kind."""

    facts: list[Fact] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)

    @property
    def main_table(self) -> Table | None:
        """Return the table that people copy into papers: the one marked as main, else the first."""
        return next((table for table in self.tables if table.is_main), self.tables[0] if self.tables else None)

    @property
    def verdict(self) -> str:
        """Return the sentence that sums up the result, or an empty text."""
        return next((sentence.text for sentence in self.sentences if sentence.is_verdict), "")


def collect_blocks(blocks: Iterable[Block]) -> View:
    """Sort blocks by kind."""
    view = View()
    for block in blocks:
        target: list[Any] = (
            view.facts if isinstance(block, Fact) else view.tables if isinstance(block, Table) else view.sentences
        )
        target.append(block)
    return view
