"""CSV and TSV: read by Arrow with every cell as text, read again only to say what is wrong."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
from pyarrow import csv as arrow_csv

from assay.base.errors import AssayError, join_names, unknown_name
from assay.data.columns.table import EmptyTableError, RawTable, check_column_count, list_names
from assay.data.readers.encoding import check_utf8
from assay.data.readers.formats import register_format
from assay.data.readers.titles import MAX_TITLES, count_titles, describe_titles, has_two_lines, join_lines
from assay.system.limits import check_cell_count, max_bytes

QUOTINGS = ("auto", "none", "double")
MAX_HEADER_BYTES = 16 << 20
_MAX_BLOCK_BYTES = (1 << 31) - 1
_COUNT_BYTES = 1 << 17


@register_format("csv", suffixes=(".csv", ".txt"), is_text=True)
def read_csv(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:
    """Read a file separated by commas, or by tabs or semicolons if its header has no comma."""
    content, titles = _skip_titles(content, (",", "\t", ";"))
    table = read_delimited(content, path, _find_delimiter(content), quoting)
    return replace(table, notes=(*titles, *table.notes))


@register_format("tsv", suffixes=(".tsv", ".tab"), is_text=True)
def read_tsv(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:
    """Read a file separated by tabs."""
    content, titles = _skip_titles(content, ("\t",))
    table = read_delimited(content, path, "\t", quoting)
    return replace(table, notes=(*titles, *table.notes))


def _skip_titles(content: pa.Buffer, delimiters: Sequence[str]) -> tuple[pa.Buffer, tuple[str, ...]]:
    """Return the content from its header on, which has one line, and a note on the lines above it."""
    lines = content[: 1 << 16].to_pybytes().split(b"\n")[: MAX_TITLES + 3]
    if len(lines) < 3 or any(line.count(b'"') % 2 for line in lines):
        return content, ()
    texts = [line.decode("utf-8", "replace").strip("\r\ufeff") for line in lines]
    if any("\r" in text for text in texts):  # a carriage return within a line, which csv refuses
        return content, ()
    for delimiter in delimiters:
        rows = list(csv.reader(texts, delimiter=delimiter))
        if len(rows) != len(lines):
            continue
        number = count_titles(rows)
        n_lines = 2 if has_two_lines(rows[number:]) else 0
        if number + n_lines and len({len(row) for row in rows[number:-1] if row}) == 1:
            start = sum(len(line) + 1 for line in lines[: number + n_lines])
            header = _write_header(rows[number : number + n_lines], delimiter) if n_lines else b""
            rest = pa.py_buffer(header + content[start:].to_pybytes()) if header else content[start:]
            return rest, describe_titles(rows[:number])
    return content, ()


def _write_header(lines: Sequence[Sequence[str]], delimiter: str) -> bytes:
    """Return the header of two lines as one."""
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="\n").writerow(join_lines(*lines))
    return written.getvalue().encode()


def read_delimited(content: pa.Buffer, path: Path, delimiter: str, quoting: str) -> RawTable:
    """Read delimited text whose first record is its header.

    Tab-separated cells are unquoted unless only the quoted reading is rectangular; others are quoted.
    """
    if quoting not in QUOTINGS:
        raise unknown_name("quoting", quoting, QUOTINGS)
    quoted = quoting == "double" or (quoting == "auto" and delimiter != "\t")
    try:
        table = _read(content, path, delimiter, quoted=quoted)
        more = _note_line_breaks(table.frame, content, path) if quoted else _note_kept_quotes(table.frame, path)
        return replace(table, notes=(*table.notes, *more))
    except _RaggedError as error:
        problem = error
    if quoting == "auto" and not quoted and _is_strictly_quoted(content, delimiter):
        try:
            table = _read(content, path, delimiter, quoted=True)
        except _RaggedError:
            pass
        else:
            note = f"{path.name}: read with quoted cells, as only then its rows have equal length"
            return replace(table, notes=(*table.notes, note))
    raise _describe_ragged_row(content, path, delimiter, problem, quoted=quoted)


def _is_strictly_quoted(content: pa.Buffer, delimiter: str) -> bool:
    """Return whether every quote opens, closes or is doubled within a cell, so that no stray quote joins rows."""
    with _allow_large_fields():
        lines = io.TextIOWrapper(pa.BufferReader(content), encoding="utf-8", errors="replace", newline="")
        try:
            for _ in csv.reader(lines, delimiter=delimiter, strict=True):
                pass
        except csv.Error:
            return False
    return True


def _note_line_breaks(frame: pl.DataFrame, content: pa.Buffer, path: Path) -> tuple[str, ...]:
    """Note cells with line breaks: a stray quote joins rows, and nothing else shows it."""
    if _count_lines(content) <= frame.height + 1:
        return ()
    n_cells = int(frame.select(pl.sum_horizontal(pl.all().str.contains("[\r\n]").sum())).item() or 0)
    cells = f"{n_cells:,} cell{'s' if n_cells != 1 else ''}"
    fact = f"{path.name}: line breaks in {cells}; if rows are missing, look for a stray quote"
    return (fact,) if n_cells else ()


def _note_kept_quotes(frame: pl.DataFrame, path: Path) -> tuple[str, ...]:
    """Note columns whose cells are all in quotes, which the unquoted reading keeps."""
    head = frame.head(1000)
    wrapped = pl.all().str.starts_with('"') & pl.all().str.ends_with('"') & (pl.all().str.len_bytes() > 1)
    shares = head.select(wrapped.mean()).to_dict(as_series=False)
    columns = [name for name, (share,) in shares.items() if (share or 0) > 0.9]
    note = f"{path.name}: cells of {list_names(columns, 5)} keep their quotes; the quoting 'double' removes them"
    return (note,) if columns else ()


class _RaggedError(Exception):
    """Arrow came upon rows of different length; a second reading says which."""


def _find_delimiter(content: pa.Buffer) -> str:
    """Return the separator of the header: a comma, or a tab or semicolon if it has no comma."""
    header = content[: 1 << 16].to_pybytes().partition(b"\n")[0]
    return next((mark for mark in (",", "\t", ";") if mark.encode() in header), ",")


def _read(content: pa.Buffer, path: Path, delimiter: str, *, quoted: bool) -> RawTable:
    header = _read_header(content, path, delimiter, quoted=quoted)
    names = [name.strip() for name in header]
    _check_cells(content, len(names), path)
    try:
        table = _parse(content, path, delimiter, len(names), quoted=quoted)
    except _RaggedError:
        if names[-1] or len(names) == 1:
            raise
        names = names[:-1]  # a separator at the end of the header alone
        body = _skip_header(content, delimiter, quoted=quoted)
        table = _parse(body, path, delimiter, len(names), quoted=quoted)
        return _name_columns(table, names, path)
    if quoted:
        _check_last_quote(table, content, path)
    return _name_columns(table.slice(1), names, path)


def _check_cells(content: pa.Buffer, n_columns: int, path: Path) -> None:
    """Count lines if the content is so large that its cells might not fit into memory."""
    if len(content) * 25 > max_bytes():
        check_cell_count(_count_lines(content), n_columns, path)


def _count_lines(content: pa.Buffer) -> int:
    """Count line ends; of CRLF the one that is more frequent in a block, so that it counts once."""
    codes = np.frombuffer(content, dtype=np.uint8)
    blocks = (codes[start : start + _COUNT_BYTES] for start in range(0, len(codes), _COUNT_BYTES))
    return sum(int(max(np.count_nonzero(block == 10), np.count_nonzero(block == 13))) for block in blocks)


def _read_header(content: pa.Buffer, path: Path, delimiter: str, *, quoted: bool) -> list[str]:
    head = content[:MAX_HEADER_BYTES].to_pybytes()
    if len(head) == MAX_HEADER_BYTES and not any(mark in head for mark in b"\r\n"):
        fact = f"the first line is longer than {MAX_HEADER_BYTES >> 20} MB, which is not a header"
        raise AssayError(fact, place=path)
    with _allow_large_fields():
        for _, record in _iterate_records(content, delimiter, quoted=quoted):
            if any(cell.strip() for cell in record):
                check_column_count(len(record), path)
                return record
    raise EmptyTableError("the file is empty: it holds only white space", place=path)


def _skip_header(content: pa.Buffer, delimiter: str, *, quoted: bool) -> pa.Buffer:
    text = content.to_pybytes()
    with _allow_large_fields():
        n_lines = next(end for end, record in _iterate_records(content, delimiter, quoted=quoted) if record)
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
    block_size = 1 << 24
    while True:
        read = arrow_csv.ReadOptions(column_names=names, block_size=block_size)
        try:
            return arrow_csv.read_csv(pa.BufferReader(content), read, parse, convert)
        except pa.ArrowInvalid as error:
            problem = str(error)
        if "straddl" in problem and block_size < min(len(content) + 1, _MAX_BLOCK_BYTES):
            block_size = min(block_size * 16, len(content) + 1, _MAX_BLOCK_BYTES)
            continue
        check_utf8(content, path)
        if "Expected" in problem:
            raise _RaggedError(problem)
        raise AssayError(f"the file cannot be read: {problem.splitlines()[0]}", place=path)


def _name_columns(table: pa.Table, names: list[str], path: Path) -> RawTable:
    """Give the columns their names; a nameless one is dropped when empty and numbered otherwise."""
    kept = [number for number, name in enumerate(names) if name or _has_content(table.column(number))]
    kept_names = [names[number] or f"column {number + 1}" for number in kept]
    repeated = [name for name, count in Counter(kept_names).items() if count > 1]
    if repeated:
        fact = f"the header names {join_names(map(repr, repeated))} more than once"
        raise AssayError(fact, place=path, hint="Rename one of them.")
    frame = pl.from_arrow(table.select(kept).rename_columns(kept_names))
    assert isinstance(frame, pl.DataFrame)
    return RawTable(frame)


def _has_content(column: pa.ChunkedArray) -> bool:
    return any(len(text) for chunk in column.chunks for text in chunk.to_pylist())


def _check_last_quote(table: pa.Table, content: pa.Buffer, path: Path) -> None:
    """Raise if a quote never closes: Arrow then takes the rest of the file for one cell."""
    last = table.column(table.num_columns - 1)[-1].as_py()
    if "\n" not in last and "\r" not in last:
        return
    closed = ('"' + last.replace('"', '""') + '"').encode()
    tail = content[max(0, len(content) - len(closed) - 64) :].to_pybytes().rstrip(b"\r\n")
    if tail.endswith(closed):
        return
    n_lines = content.to_pybytes().rstrip(b"\r\n").count(b"\n") + 1
    line = max(2, n_lines - last.rstrip("\r\n").count("\n"))
    raise AssayError("a quote opens and never closes", place=f"{path}, line {line}", hint="Is a quote missing?")


def _describe_ragged_row(
    content: pa.Buffer, path: Path, delimiter: str, problem: Exception, *, quoted: bool
) -> AssayError:
    header: list[str] = []
    first_line = 1
    with _allow_large_fields():
        for last_line, record in _iterate_records(content, delimiter, quoted=quoted):
            header = header or record
            if record and len(record) != len(header):
                n_fields = "1 field" if len(record) == 1 else f"{len(record):,} fields"
                names = list_names(name.strip() for name in header)
                return AssayError(
                    f"{n_fields}, the header has {len(header):,} ({names})",
                    place=f"{path}, line {first_line}",
                    hint="Is a quote missing?" if quoted else "Is there a tab or line break inside a text?",
                )
            first_line = last_line + 1
    return AssayError(
        f"there are rows of different length ({str(problem).partition(':')[2].strip()[:100]})", place=path
    )


def _iterate_records(content: pa.Buffer, delimiter: str, *, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of its last line and the cells of every record; a blank line has no cells."""
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
def _allow_large_fields() -> Iterator[None]:
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
