"""Lines above the header of a table: a title, a date."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.columns.grades import is_number
from assay.wording.sentences import quote

MAX_TITLES = 5


def count_titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many lines are above the header: lines of one cell, before words and then a row with numbers.

    >>> count_titles([["Results 2026"], ["model", "MMLU"], ["a", "70.1"]]), count_titles([["model", "MMLU"], ["a", "1"]])
    (1, 0)
    """
    for number in range(min(MAX_TITLES, len(rows) - 2) + 1):
        header, first = _strip(rows[number]), _strip(rows[number + 1]) if number + 1 < len(rows) else []
        if len(header) > 1:
            is_header = not any(map(is_number, header)) and any(map(is_number, first)) and len(first) > 1
            return number if is_header else 0
    return 0


def skip_titles(rows: Sequence[list[str]]) -> tuple[tuple[str, ...], list[str], Sequence[list[str]]]:
    """Return a note on the lines above the header, the header, and the rows below it."""
    number = count_titles(rows)
    return describe_titles(rows[:number]), rows[number], rows[number + 1 :]


def describe_titles(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return a note on the lines that were skipped."""
    lines = [quote(" ".join(_strip(row))) for row in rows if _strip(row)]
    return (f"above the header and skipped: {', '.join(lines)}",) if lines else ()


def name_header(header: Sequence[str]) -> list[str]:
    """Return a name for each column, each once.

    >>> name_header(["model", "", "model"])
    ['model', 'column 2', 'model (3)']
    """
    names: list[str] = []
    for number, name in enumerate(header, start=1):
        plain = name.strip() or f"column {number}"
        names.append(plain if plain not in names else f"{plain} ({number})")
    return names


def _strip(row: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in row if cell.strip()]
