"""CSV and TSV: read by Arrow with every cell as text, read again only to say what is wrong."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa
from pyarrow import csv as arrow_csv

from assay.base.errors import AssayError, UsageError, join_names
from assay.data.cells import EmptyError, Table, refuse_many_columns, shortened
from assay.data.encoding import refuse_other_encoding

QUOTINGS = ("auto", "none", "double")
_LONGEST_HEADER = 16 << 20


def read_delimited(content: pa.Buffer, path: Path, delimiter: str | None, quoting: str) -> Table:
    """Read delimited text whose first record is its header.

    Tab-separated cells are unquoted unless only the quoted reading is rectangular; others are quoted.
    """
    if quoting not in QUOTINGS:
        raise UsageError(f"No quoting '{quoting}'. Known: {', '.join(QUOTINGS)}.")
    delimiter = delimiter or _delimiter(content)
    first = quoting == "double" or (quoting == "auto" and delimiter != "\t")
    try:
        table = _read(content, path, delimiter, quoted=first)
        return table if first else Table(table.frame, (*table.notes, *_quotes_kept(table.frame, path)))
    except _RaggedError as error:
        problem = error
    if quoting == "auto" and not first:
        try:
            table = _read(content, path, delimiter, quoted=True)
            return Table(
                table.frame, (*table.notes, f"{path.name}: read with quoted cells, as only so its rows are even")
            )
        except _RaggedError:
            pass
    raise AssayError(_ragged_message(content, path, delimiter, problem, quoted=first))


def _quotes_kept(frame: pl.DataFrame, path: Path) -> tuple[str, ...]:
    """Note columns whose cells all stand in quotes that the unquoted reading keeps."""
    head = frame.head(1000)
    wrapped = pl.all().str.starts_with('"') & pl.all().str.ends_with('"') & (pl.all().str.len_bytes() > 1)
    columns = [
        name for name, (share,) in head.select(wrapped.mean()).to_dict(as_series=False).items() if (share or 0) > 0.9
    ]
    told = f"{path.name}: cells of {shortened(columns, 5)} keep their quotes; --quoting double takes them off"
    return (told,) if columns else ()


class _RaggedError(Exception):
    """Arrow found rows of different length; which one, a second reading tells."""


def _delimiter(content: pa.Buffer) -> str:
    """Return the separator of the header: comma, or where it has none a tab or semicolon."""
    header = content[: 1 << 16].to_pybytes().partition(b"\n")[0]
    return next((mark for mark in (",", "\t", ";") if mark.encode() in header), ",")


def _read(content: pa.Buffer, path: Path, delimiter: str, *, quoted: bool) -> Table:
    header = _header(content, path, delimiter, quoted=quoted)
    names = [name.strip() for name in header]
    try:
        table = _parse(content, path, delimiter, len(names), quoted=quoted)
    except _RaggedError:
        if names[-1] or len(names) == 1:
            raise
        names = names[:-1]  # a separator at the end of the header alone
        body = _after_header(content, delimiter, quoted=quoted)
        table = _parse(body, path, delimiter, len(names), quoted=quoted)
        return _named(table, names, path)
    if quoted:
        _refuse_open_quote(table, content, path)
    return _named(table.slice(1), names, path)


def _header(content: pa.Buffer, path: Path, delimiter: str, *, quoted: bool) -> list[str]:
    head = content[:_LONGEST_HEADER].to_pybytes()
    if len(head) == _LONGEST_HEADER and not any(mark in head for mark in b"\r\n"):
        raise AssayError(f"{path}: its first line is longer than {_LONGEST_HEADER >> 20} MB, which is no header.")
    with _large_fields():
        for _, record in _records(content, delimiter, quoted=quoted):
            if any(cell.strip() for cell in record):
                refuse_many_columns(len(record), path)
                return record
    raise EmptyError(f"{path} is empty: it holds nothing but white space.")


def _after_header(content: pa.Buffer, delimiter: str, *, quoted: bool) -> pa.Buffer:
    text = content.to_pybytes()
    with _large_fields():
        n_lines = next(end for end, record in _records(content, delimiter, quoted=quoted) if record)
    position = 0
    for _ in range(n_lines):
        position = text.find(b"\n", position) + 1
    return content[position:]


def _parse(content: pa.Buffer, path: Path, delimiter: str, n_columns: int, *, quoted: bool) -> pa.Table:
    names = [str(number) for number in range(n_columns)]
    parse = arrow_csv.ParseOptions(
        delimiter=delimiter, quote_char='"' if quoted else False, double_quote=quoted, newlines_in_values=quoted
    )
    convert = arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False)
    block = 1 << 24
    while True:
        read = arrow_csv.ReadOptions(column_names=names, block_size=block)
        try:
            return arrow_csv.read_csv(pa.BufferReader(content), read, parse, convert)
        except pa.ArrowInvalid as error:
            problem = str(error)
        if "straddl" in problem and block < min(len(content) + 1, (1 << 31) - 1):
            block = min(block * 16, len(content) + 1, (1 << 31) - 1)
            continue
        refuse_other_encoding(content, path)
        if "Expected" in problem:
            raise _RaggedError(problem)
        raise AssayError(f"{path} cannot be read: {problem.splitlines()[0]}.")


def _named(table: pa.Table, names: list[str], path: Path) -> Table:
    """Give the columns their names; nameless ones go when empty and are counted through otherwise."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    twice = [name for name, times in seen.items() if name and times > 1]
    if twice:
        raise AssayError(f"{path}: the header names {join_names(map(repr, twice))} more than once. Rename one of them.")
    kept = [number for number, name in enumerate(names) if name or _has_content(table.column(number))]
    named = [names[number] or f"column {number + 1}" for number in kept]
    frame = pl.from_arrow(table.select(kept).rename_columns(named))
    assert isinstance(frame, pl.DataFrame)
    return Table(frame)


def _has_content(column: pa.ChunkedArray) -> bool:
    return any(len(text) for chunk in column.chunks for text in chunk.to_pylist())


def _refuse_open_quote(table: pa.Table, content: pa.Buffer, path: Path) -> None:
    """Raise where a quote never closes: Arrow then takes the rest of the file for one cell."""
    last = table.column(table.num_columns - 1)[-1].as_py()
    if "\n" not in last and "\r" not in last:
        return
    closed = ('"' + last.replace('"', '""') + '"').encode()
    tail = content[max(0, len(content) - len(closed) - 64) :].to_pybytes().rstrip(b"\r\n")
    if tail.endswith(closed):
        return
    n_lines = content.to_pybytes().rstrip(b"\r\n").count(b"\n") + 1
    line = max(2, n_lines - last.rstrip("\r\n").count("\n"))
    raise AssayError(f"{path}, line {line}: a quote opens and never closes. Is a quote missing?")


def _ragged_message(content: pa.Buffer, path: Path, delimiter: str, problem: Exception, *, quoted: bool) -> str:
    header: list[str] = []
    first = 1  # the line a record begins on
    with _large_fields():
        for last, record in _records(content, delimiter, quoted=quoted):
            header = header or record
            if record and len(record) != len(header):
                hint = " Is a quote missing?" if quoted else " Is there a tab or line break inside a text?"
                fields = "1 field" if len(record) == 1 else f"{len(record):,} fields"
                names = shortened(name.strip() for name in header)
                return f"{path}, line {first}: {fields}, the header has {len(header):,} ({names}).{hint}"
            first = last + 1
    return f"{path}: rows of different length ({str(problem).partition(':')[2].strip()[:100]})."


def _records(content: pa.Buffer, delimiter: str, *, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of its last line and the cells of every record, blank lines as empty ones."""
    lines = io.TextIOWrapper(
        pa.BufferReader(content), encoding="utf-8", errors="replace", newline=None if not quoted else ""
    )
    if quoted:
        reader = csv.reader(lines, delimiter=delimiter)
        for record in reader:
            yield reader.line_num, record
        return
    for number, line in enumerate(lines, start=1):
        bare = line.rstrip("\n")
        yield number, bare.split(delimiter) if bare else []


@contextmanager
def _large_fields() -> Iterator[None]:
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
