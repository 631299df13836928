"""The first screen of an audit on the terminal: six rows and what to do first."""

from __future__ import annotations

import click

from assay.audits import Overview, OverviewRow
from assay.cli.output import wrap_words

STATUS_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red", "not checked": "bright_black"}
STATUS_WIDTH = 13
TITLE_WIDTH = 12


def print_overview(overview: Overview, width: int) -> None:
    """Print one line per topic, then the actions in order of effect."""
    for row in overview.rows:
        click.echo(write_row(row, width))
    if overview.actions:
        click.echo(click.style("Do first", bold=True))
    for number, action in enumerate(overview.actions, start=1):
        click.echo(wrap_words(f"{action.action} ({action.code})", width, " " * 3, f"{number}. "))


def write_row(row: OverviewRow, width: int) -> str:
    """Write a topic: its status in colour, its title, and its number with the unit."""
    status, title = f"{row.status:<{STATUS_WIDTH}}", f"{row.title:<{TITLE_WIDTH}}"
    words = (
        f"{row.number} {row.unit}".strip()
        or row.reason
        or ("see the findings" if row.status != "ok" else "nothing serious" if row.n_findings else "nothing against it")
    )
    code = f" ({row.code})" if row.code and row.status in ("warning", "problem") else ""
    text = wrap_words(words + code, width, " " * (STATUS_WIDTH + TITLE_WIDTH), status + title)
    return click.style(status, fg=STATUS_COLOURS[row.status], bold=True) + text[STATUS_WIDTH:]
