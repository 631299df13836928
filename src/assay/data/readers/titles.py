"""Lines above the header of a table (a title, a date), and headers of two lines."""

from __future__ import annotations

from collections import Counter
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
            if has_two_lines(rows[number:]):
                return number
            is_header = not any(map(is_number, header)) and any(map(is_number, first)) and len(first) > 1
            return number if is_header else 0
    return 0


def skip_titles(rows: Sequence[list[str]]) -> tuple[tuple[str, ...], list[str], Sequence[list[str]]]:
    """Return a note on the lines above the header, the header, and the rows below it."""
    number = count_titles(rows)
    header, *below = join_header(rows[number:])
    return describe_titles(rows[:number]), header, below


def has_two_lines(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the header has two lines: words, of which the first line names groups of columns, then numbers.

    Only one of the lines names the first column, and a group that spans columns has empty cells after its name.

    >>> has_two_lines([["model", "GLUE", ""], ["", "dev", "test"], ["a", "71.2", "70.1"]])
    True
    """
    if len(rows) < 3 or not rows[0] or not rows[1] or bool(rows[0][0].strip()) == bool(rows[1][0].strip()):
        return False
    spans = len(_strip(rows[0][1:])) < max(len(rows[0]), len(rows[1])) - 1
    numbers = sum(map(is_number, _strip(rows[2])))
    return spans and numbers > 0 and len(_strip(rows[1])) > 1 and not any(map(is_number, _strip([*rows[0], *rows[1]])))


def join_header(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return the rows with a header of two lines as one: names that several groups have get the name of their group.

    >>> join_header([["model", "GLUE", "", "Avg."], ["", "dev", "test", ""], ["a", "71.2", "70.1", "70.6"]])[0]
    ['model', 'dev', 'test', 'Avg.']
    """
    return [join_lines(rows[0], rows[1]), *rows[2:]] if has_two_lines(rows) else list(rows)


def join_lines(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return one name for each column of a header of two lines.

    >>> join_lines(["", "SST", "STS"], ["model", "acc", "r"]), join_lines(["", "A", "", "B"], ["model", "x", "y", "x"])
    (['model', 'SST acc', 'STS r'], ['model', 'A x', 'y', 'B x'])
    """
    width = max(len(first), len(second))
    upper, lower = ([*(cell.strip() for cell in line), *[""] * (width - len(line))] for line in (first, second))
    counts = Counter(lower)
    names, group = [], ""
    for number, (above, below) in enumerate(zip(upper, lower, strict=True)):
        group = above or group
        is_alone = bool(above) and (number + 1 == width or bool(upper[number + 1]))
        needs_group = bool(below and counts[below] > 1) or is_alone or bool(above and not below)
        names.append(f"{group} {below}".strip() if needs_group and (number or above) else below)
    return names


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
