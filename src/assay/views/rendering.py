"""Blocks as HTML, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from assay.views.blocks import Block, Table, Value, collect_blocks
from assay.views.values import ItemCount
from assay.wording.characters import make_visible
from assay.wording.numbers import Estimate

MAX_ROWS = 40
MAX_CHARACTERS = 300
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&!@$]|:(?=//)|(?<=www)\.)")
_ENDS_WITH_INTERVAL = re.compile(r"^[^\[\]]{1,20}\[[^\[\]]{1,40}\]$")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "λ": r"$\lambda$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "–": "--",
    "…": r"\ldots{}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "·": r"$\cdot$",
}


def render_html(blocks: Iterable[Block], title: str = "") -> str:
    """Write blocks as HTML in which everything from the data is escaped; tables have at most 40 rows."""
    view = collect_blocks(blocks)
    parts = [f"<h4>{escape(title)}</h4>"] if title else []
    parts += [
        f"<p>{'<b>' if row.is_verdict else ''}{_show(row.text, 2_000)}{'</b>' if row.is_verdict else ''}</p>"
        for row in view.sentences
    ]
    if view.facts:
        rows = [[fact.name, fact.number, fact.method] for fact in view.facts]
        parts.append(write_html_table(["fact", "value", "how it is measured"], rows))
    parts += [write_html_table(table.headings, table.cells, table.title) for table in view.tables]
    return "".join(parts)


def write_html_table(headings: Sequence[str], cells: Sequence[Sequence[str]], title: str = "") -> str:
    """Write a table of at most 40 rows, with long texts shortened.

    >>> write_html_table(["word", "n"], [["<b>", "1,200"]])
    '<table><thead><tr><th>word</th><th>n</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>1,200</td></tr></tbody></table>'
    """
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f"<th>{escape(heading)}</th>" if heading else "<td></td>" for heading in headings)
    body = "".join(f"<tr>{''.join(_show_cell(cell) for cell in row)}</tr>" for row in cells[:MAX_ROWS])
    more = f"<p>{len(cells) - MAX_ROWS:,} more rows.</p>" if len(cells) > MAX_ROWS else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _show_cell(cell: str) -> str:
    """Return a cell; a number stays on one line with its interval.

    >>> _show_cell("0.72 [0.67, 0.76]"), _show_cell("text [1]: of any length")
    ('<td class="whole">0.72 [0.67, 0.76]</td>', '<td>text [1]: of any length</td>')
    """
    return f'<td class="whole">{_show(cell)}</td>' if _ENDS_WITH_INTERVAL.search(cell) else f"<td>{_show(cell)}</td>"


def _show(text: str, limit: int = MAX_CHARACTERS) -> str:
    return escape(make_visible(text, limit))


def render_markdown(blocks: Iterable[Block], title: str = "") -> str:
    """Write blocks as Markdown, as GitHub reads it."""
    view = collect_blocks(blocks)
    parts = [f"## {escape_markdown(title)}"] if title else []
    parts += [escape_markdown(row.text) for row in view.sentences]
    if view.facts:
        parts.append(write_markdown_table(["fact", "value"], [[fact.name, fact.number] for fact in view.facts]))
    parts += [f"### {escape_markdown(table.title)}\n\n{write_markdown(table)}" for table in view.tables]
    return "\n\n".join(parts) + "\n"


def write_markdown(table: Table) -> str:
    """Write a table as Markdown."""
    return write_markdown_table(table.headings, table.cells)


def write_markdown_table(headings: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    r"""Write headings and cells as a Markdown table.

    >>> print(write_markdown_table(["a", "b"], [["x|y", "1"]]))
    | a | b |
    |---|---|
    | x\|y | 1 |
    """
    rows = [headings, *cells]
    lines = [f"| {' | '.join(escape_markdown(cell) for cell in row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(headings), *lines[1:]])


def escape_markdown(value: object, limit: int = 200) -> str:
    r"""Write text so that Markdown shows it as it is, on one line, and makes no link of it.

    >>> print(escape_markdown("<b>*not*</b> | https://x"))
    \<b\>\*not\*\</b\> \| https\://x
    """
    return _SPECIAL.sub(r"\\\1", " ".join(make_visible(value, limit).split()))


LATEX_RULES = "".join(rf"\providecommand{{\{name}}}{{\hline}}" for name in ("toprule", "midrule", "bottomrule"))


def write_latex(table: Table) -> str:
    r"""Write a table as a LaTeX `table`, with the rules of `booktabs` if the document loads it.

    Numbers are aligned to the right.

    >>> print(write_latex(Table("Scores", ["system", "score"], [["a_b", 0.5]])))
    \begin{table}
    \caption{Scores}
    \providecommand{\toprule}{\hline}\providecommand{\midrule}{\hline}\providecommand{\bottomrule}{\hline}
    \begin{tabular}{lr}
    \toprule
    system & score \\
    \midrule
    a\_b & 0.5 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    forms = "".join("l" if has_text else "r" for has_text in table.has_text)
    lines = [" & ".join(map(escape_latex, row)) + r" \\" for row in [table.headings, *table.cells]]
    parts = [
        r"\begin{table}",
        rf"\caption{{{escape_latex(table.title)}}}",
        LATEX_RULES,
        rf"\begin{{tabular}}{{{forms}}}",
    ]
    parts += [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(parts)


def escape_latex(text: str) -> str:
    """Make text literal in LaTeX."""
    line = " ".join(make_visible(text, 2_000).split())
    return "".join(_LATEX.get(character, character) for character in line)


def write_csv(table: Table) -> str:
    """Write a table as CSV with unrounded values; an interval takes three columns.

    >>> from assay.views.values import Interval
    >>> print(write_csv(Table("", ["system", "score"], [["a", Interval(0.5, 0.4, 0.6)]])), end="")
    system,score,score low,score high
    a,0.5,0.4,0.6
    """
    is_interval = [any(isinstance(row[place], Estimate) for row in table.rows) for place in range(len(table.headings))]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    names = zip(table.headings, is_interval, strict=True)
    writer.writerow(
        [part for name, wide in names for part in ([name, f"{name} low", f"{name} high"] if wide else [name])]
    )
    for row in table.rows:
        writer.writerow([part for value, wide in zip(row, is_interval, strict=True) for part in _split(value, wide)])
    return file.getvalue()


def _split(value: Value, wide: bool) -> list[object]:
    if isinstance(value, Estimate):
        return [_plain(value.value), _plain(value.low), _plain(value.high)]
    plain = _plain(value.count if isinstance(value, ItemCount) else value)
    return [plain, "", ""] if wide else [plain]


def _plain(value: object) -> object:
    return "" if value is None or value != value else value


def require_table(blocks: Iterable[Block]) -> Table:
    """Return the main table of some blocks; without one a table of the facts, or of the sentence that sums up."""
    view = collect_blocks(blocks)
    if view.main_table is not None:
        return view.main_table
    rows = [(fact.name, fact.value) for fact in view.facts] or [("result", view.verdict)]
    return Table("", ["name", "value"], rows)


TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": write_csv,
    "markdown": lambda table: write_markdown(table) + "\n",
    "latex": lambda table: write_latex(table) + "\n",
}
