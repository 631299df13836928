"""Progress of an audit on standard error, with the estimated time left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from assay.audits.run import Progress
from assay.cli.output import say


class Clock:
    """Estimate the time left of an audit from the share of the work that is done."""

    def __init__(self) -> None:
        """Start the clock."""
        self.start = self.last_update = time.monotonic()
        self.seconds_left: float | None = None

    def update(self, share: float) -> None:
        """Record the share that is done."""
        self.last_update = time.monotonic()
        elapsed = self.last_update - self.start
        self.seconds_left = elapsed * (1 - share) / share if share > 0 else None

    def __str__(self) -> str:
        """Write the time left; empty if it is unknown or already over."""
        if self.seconds_left is None:
            return ""
        rest = self.seconds_left - (time.monotonic() - self.last_update)
        return "" if rest < 1 else f"about {timedelta(seconds=round(rest))} left"


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Yield a function that shows the section that starts: as a bar in a terminal, as lines elsewhere."""
    from rich.console import Console

    console, clock = Console(stderr=True), Clock()
    if not console.is_terminal:
        yield lambda name, share: print_progress(clock, name, share)
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002, rich's signature
            return Text(str(clock), style="progress.remaining")

    columns = (TextColumn("{task.description:<15}"), BarColumn(), TimeElapsedColumn(), TimeLeft())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("audit", total=1.0)

        def show(name: str, share: float) -> None:
            clock.update(share)
            bar.update(task, description=name or "done", completed=share)

        yield show


def print_progress(clock: Clock, name: str, share: float) -> None:
    """Print the section that starts, and the time left if it is known."""
    clock.update(share)
    if name:
        say(f"{name} … {clock}".rstrip())
