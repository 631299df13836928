"""The first screen of an audit on the terminal: six rows and what to do first."""

from __future__ import annotations

from assay.audits import Overview, OverviewRow
from assay.cli.output import echo, wrap_words

STATUS_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red", "not checked": "bright_black"}
STATUS_WIDTH = 13
TITLE_WIDTH = 12


def print_overview(overview: Overview, width: int) -> None:
    """Print one line per topic, then the actions in order of effect."""
    for row in overview.rows:
        print_row(row, width)
    if overview.actions:
        echo("Do first", bold=True)
    for number, action in enumerate(overview.actions, start=1):
        echo(wrap_words(f"{action.action} ({action.code})", width, " " * 3, f"{number}. "))


def print_row(row: OverviewRow, width: int) -> None:
    """Print a topic: its status in colour, its title, and its number with the unit."""
    status, title = f"{row.status:<{STATUS_WIDTH}}", f"{row.title:<{TITLE_WIDTH}}"
    words = (
        f"{row.number} {row.unit}".strip()
        or row.reason
        or ("see the findings" if row.status != "ok" else "nothing serious" if row.n_findings else "nothing against it")
    )
    code = f" ({row.code})" if row.code and row.status in ("warning", "problem") else ""
    text = wrap_words(words + code, width, " " * (STATUS_WIDTH + TITLE_WIDTH), status + title)
    echo(status, text[STATUS_WIDTH:], fg=STATUS_COLOURS[row.status], bold=True)
