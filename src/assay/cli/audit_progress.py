"""How far an audit is, with the time left, on standard error."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from assay.audits.run import Progress
from assay.cli.output import say


class Clock:
    """Foretell how long an audit still takes, from the share of the work that was done when a section began."""

    def __init__(self) -> None:
        """Start the clock."""
        self.began = self.told = time.monotonic()
        self.left: float | None = None

    def reach(self, share: float) -> None:
        """Note the share that is done."""
        self.told = time.monotonic()
        self.left = (self.told - self.began) * (1 - share) / share if share > 0 else None

    def __str__(self) -> str:
        """Write the time left, or nothing where it is not known or has run out."""
        if self.left is None or (rest := self.left - (time.monotonic() - self.told)) < 1:
            return ""
        return f"about {timedelta(seconds=round(rest))} left"


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Yield a function that shows the section that starts: as a bar in a terminal, as lines elsewhere."""
    from rich.console import Console

    console, clock = Console(stderr=True), Clock()
    if not console.is_terminal:
        yield lambda name, share: lines(clock, name, share)
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002, rich's signature
            return Text(str(clock), style="progress.remaining")

    columns = (TextColumn("{task.description:<15}"), BarColumn(), TimeElapsedColumn(), TimeLeft())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("audit", total=1.0)

        def tell(name: str, share: float) -> None:
            clock.reach(share)
            bar.update(task, description=name or "done", completed=share)

        yield tell


def lines(clock: Clock, name: str, share: float) -> None:
    """Say which section starts, and the time left where it is known."""
    clock.reach(share)
    if name:
        say(f"{name} … {clock}".rstrip())
