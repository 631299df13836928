r"""Tables inside of documents: Markdown, and LaTeX (`tabular`, also with `booktabs`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError, join_names
from assay.data.columns.table import RawTable, check_column_count
from assay.data.left_out import LeftOut
from assay.data.readers.formats import register_format
from assay.data.readers.titles import join_lines, name_header
from assay.system.limits import check_cell_count

_RULE_CELL = re.compile(r"\s*+:?-++:?\s*+")
_PIPE, _ESCAPE = re.compile(r"(?<!\\)\|"), re.compile(r"\\([|*_~#<>])")
_BEGIN, _END = re.compile(r"\\begin\{(?:tabular[xy*]?|longtable|array|tblr)\*?\}"), re.compile(r"\\end\{")
_RULES = re.compile(r"\\(?:toprule|midrule|bottomrule|hline|cmidrule|cline|specialrule|addlinespace|endhead)")
_ARGUMENT = re.compile(r"\s*+(?:\[[^\]]{0,200}\]|\([^)]{0,200}\)|\{[^{}]{0,200}\})")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*+")
_NEW_ROW, _AND = re.compile(r"\\\\(?:\[[^\]]{0,50}\])?|\\tabularnewline"), re.compile(r"(?<!\\)&")
_SPANNED = re.compile(r"\\multi(column|row)\s?\{([^{}]{0,20})\}\s?\{[^{}]{0,50}\}")
_MATH = {"\\pm": "±", "\\%": "%", "\\_": "_", "\\&": "&", "\\#": "#", "\\$": "", "$": "", "~": " ", "\\,": " "}
_COMMAND = re.compile(r"\\[a-zA-Z]++\*?\s?")
_COLOUR = re.compile(r"\\(?:row|cell|text)?color\s?(?:\[[^\]]{0,50}\])?\{[^{}]{0,50}\}")
_SMALL = re.compile(r"(?<=[\d}])\s{0,3}\{?\\(?:tiny|scriptsize|footnotesize|small)\b\s{0,3}\{?(?=[$\\]{0,2}\d)")
_MARK = re.compile(r"\^\{?(?:\\(?:dd?agger|ast|star|circ|textdagger|S|P)\b|[*†‡§¶+])\s?\}?")
_ARROWS, _CITE = re.compile(r"\\(?:up|down)arrow"), re.compile(r"\\cite[a-z]{0,10}\*?")
MAX_SPAN = 100
Cells = list[list[str]]


@register_format("markdown", suffixes=(".md", ".markdown"), is_text=True)
def read_markdown(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001
    """Read the largest table of a Markdown document."""
    tables, n_loose = _split_markdown(content.to_pybytes().decode("utf-8", "replace"))
    table = _choose_table(tables, path)
    if not n_loose:
        return table
    entry = LeftOut("rows", n_loose, "lines of cells after an empty line belong to no table")
    return replace(table, notes=(*table.notes, f"{n_loose:,} {entry.reason}"), left_out=(*table.left_out, entry))


@register_format("latex", suffixes=(".tex",), is_text=True)
def read_latex(content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:  # noqa: ARG001
    """Read the largest table of a LaTeX document."""
    return _choose_table(list(_split_latex(content.to_pybytes().decode("utf-8", "replace"))), path)


def _split_markdown(text: str) -> tuple[list[Cells], int]:
    """Return the tables (a header, a line of dashes, and rows), and how many lines of cells are outside of them."""
    lines = [line.strip() for line in text.splitlines()]
    tables: list[Cells] = []
    rows: Cells = []
    n_loose = 0
    for number, line in enumerate([*lines, ""]):
        cells = split_markdown_row(line) if "|" in line else []
        if cells and _is_rule(cells):
            if len(rows) > 1:
                tables.append(rows[:-1])
            elif not rows and number and lines[number - 1].startswith("|"):
                n_loose -= 1  # the header of this table
            rows = [split_markdown_row(lines[number - 1])] if number else []
        elif cells and rows:
            rows.append(cells)
        elif rows:
            tables.append(rows)
            rows = []
        elif line.startswith("|") and len(cells) > 1:
            n_loose += 1
    return tables, max(n_loose, 0)


def split_markdown_row(line: str) -> list[str]:
    r"""Return the cells of a line.

    >>> split_markdown_row(r"| a | b \| c |"), split_markdown_row("a | b")
    (['a', 'b | c'], ['a', 'b'])
    """
    cells = _PIPE.split(line.strip())
    cells = cells[1:] if cells and not cells[0].strip() else cells
    cells = cells[:-1] if cells and not cells[-1].strip() else cells
    return [_ESCAPE.sub(r"\1", cell.strip()).replace("`", "") for cell in cells]


def _is_rule(cells: Sequence[str]) -> bool:
    return all(_RULE_CELL.fullmatch(cell) for cell in cells)


def _split_latex(text: str) -> Iterator[Cells]:
    plain = _COMMENT.sub("", text)
    position = 0
    while (begin := _BEGIN.search(plain, position)) and (end := _END.search(plain, begin.end())):
        body = _skip_columns(plain[begin.end() : end.start()])
        rows = [_split_latex_row(row) for row in _NEW_ROW.split(_drop_commands(body, _RULES))]
        yield [row for row in rows if any(row)]
        position = end.end()


def _skip_columns(body: str) -> str:
    """Return what follows the arguments that say how the columns are set, such as `{lcc}`."""
    depth = 0
    for place, mark in enumerate(body[:2000]):
        depth += (mark in "{[") - (mark in "}]")
        if depth == 0 and mark not in "}] \t\r\n":
            return body[place:]
        if depth == 0 and mark in "}]" and body[place + 1 :].lstrip()[:1] not in ("{", "["):
            return body[place + 1 :]
    return body


def _drop_commands(text: str, command: re.Pattern[str]) -> str:
    """Return a text without a command and its arguments."""
    parts = command.split(text)
    return parts[0] + "".join(_drop_arguments(part) for part in parts[1:])


def _drop_arguments(text: str) -> str:
    position = 0
    while match := _ARGUMENT.match(text, position):
        position = match.end()
    return text[position:]


def _split_latex_row(row: str) -> list[str]:
    cells: list[str] = []
    for cell in _AND.split(row):
        span = _SPANNED.search(cell)
        width = int(span[2]) if span and span[1] == "column" and span[2].isdigit() else 1
        cells += [clean_latex(_SPANNED.sub("", cell))] + [""] * (min(width, MAX_SPAN) - 1)
    return cells


def clean_latex(cell: str) -> str:
    r"""Return the text of a cell without commands.

    >>> clean_latex(r"\textbf{71.2} $\pm$ 0.3"), clean_latex(r"Llama\_3 \cite{x} $\uparrow$")
    ('71.2 ± 0.3', 'Llama_3')
    >>> clean_latex(r"$71.2_{\pm 0.3}$"), clean_latex(r"71{\tiny 0.3}"), clean_latex(r"\cellcolor{gray!10}Ours$^\dagger$")
    ('71.2± 0.3', '71 ± 0.3', 'Ours')
    """
    text = _MARK.sub("", _SMALL.sub(" ± ", _COLOUR.sub("", _drop_commands(_ARROWS.sub("", cell), _CITE))))
    text = text.replace("\\textsubscript{", "_{").replace("_{\\pm", "{\\pm").replace("^{\\pm", "{\\pm")
    for mark, written in _MATH.items():
        text = text.replace(mark, written)
    return " ".join(_COMMAND.sub("", text).replace("{", "").replace("}", "").split())


def _choose_table(tables: list[Cells], path: Path) -> RawTable:
    """Return the table with the most cells; others are left out."""
    tables = [table for table in tables if len(table) > 1 and len(table[0]) > 1]
    if not tables:
        hint = "A table in Markdown has a line of dashes below its header; in LaTeX it is a tabular."
        raise AssayError("the document holds no table", place=path, hint=hint)
    sizes = [len(table) * len(table[0]) for table in tables]
    number = sizes.index(max(sizes))
    check_column_count(max(map(len, tables[number][:2])), path)
    header, *rows = _join_header(tables[number])
    check_cell_count(len(rows), len(header), path)
    long = [row for row in rows if len(row) > len(header)]
    if long:
        fact = f"a row has {len(long[0])} cells, the header {len(header)} ({join_names(long[0], 3)})"
        raise AssayError(fact, place=path)
    names = name_header([name.replace("**", "") for name in header])
    padded = [row + [""] * (len(header) - len(row)) for row in rows]
    frame = pl.DataFrame(padded, schema=dict.fromkeys(names, pl.String), orient="row")
    others = len(tables) - 1
    left_out = (LeftOut("tables", others, f"table {number + 1} of the document is the largest"),) if others else ()
    return RawTable(frame, tuple(f"{entry.n} smaller tables are left out" for entry in left_out), left_out=left_out)


def _join_header(rows: Cells) -> Cells:
    """Join a header of two lines, of which only one names the first column."""
    if len(rows) < 3 or bool(rows[0][0]) == bool(rows[1][0]) or any(_is_number(cell) for cell in rows[1]):
        return rows
    return [join_lines(rows[0], rows[1]), *rows[2:]] if sum(map(bool, rows[1])) > 1 else rows


def _is_number(cell: str) -> bool:
    return cell[:1].isdigit()
