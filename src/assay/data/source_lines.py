"""Which line of a text file a row of its table is on."""

from __future__ import annotations

from pathlib import Path

MAX_BYTES = 200_000_000  # larger files are not counted
LINE_FORMATS = {".csv", ".tsv", ".txt", ".jsonl", ".ndjson"}


def find_first_line(path: str | Path, n_rows: int) -> int | None:
    """Return the line of the first row: 2 after a header, 1 without; None if rows are not lines.

    Only files with exactly one line per row qualify, so that no line number is a guess.
    """
    file = Path(path)
    if file.suffix.lower() not in LINE_FORMATS or not file.is_file() or file.stat().st_size > MAX_BYTES:
        return None
    n_lines, last = 0, b"\n"
    with file.open("rb") as content:
        while block := content.read(1 << 20):
            n_lines += block.count(b"\n")
            last = block[-1:]
    n_lines += last != b"\n"
    return {n_rows: 1, n_rows + 1: 2}.get(n_lines)


def name_file(path: str | Path) -> str:
    """Name a file relative to the working directory, or by its name alone if it is elsewhere.

    >>> name_file("data/test.csv"), name_file("/nowhere/else/test.csv")
    ('data/test.csv', 'test.csv')
    """
    file = Path(path)
    if not file.is_absolute():
        return file.as_posix()
    return file.relative_to(Path.cwd()).as_posix() if file.is_relative_to(Path.cwd()) else file.name
