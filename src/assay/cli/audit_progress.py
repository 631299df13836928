"""Progress of an audit on standard error, with the estimated time left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from assay.audits.run import Progress
from assay.cli.interrupts import raise_dropped_interrupt
from assay.cli.output import say
from assay.cli.verbosity import get_level
from assay.system.terminal import make_console

MIN_SHARE = 0.05  # of the work; with less done the time left is a guess


class Clock:
    """Estimate the time left of an audit from the share of the work that is done."""

    def __init__(self) -> None:
        """Start the clock."""
        self.start = time.monotonic()
        self.share = 0.0

    def update(self, share: float) -> None:
        """Record the share that is done."""
        self.share = share

    def __str__(self) -> str:
        """Write the time left; it grows while a step takes longer than expected, and is empty if it is unknown."""
        if not MIN_SHARE < self.share < 1:
            return ""
        rest = (time.monotonic() - self.start) * (1 - self.share) / self.share
        return "" if rest < 1 else f"about {timedelta(seconds=round(rest))} left"


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Yield a function that shows the section that starts: as a bar in a terminal, as lines elsewhere.

    It also ends the section if an interrupt was dropped: an audit that was interrupted starts no further section.
    """
    console, clock = make_console(stderr=True), Clock()
    if not console.is_terminal or get_level() != "normal":
        yield lambda name, share: print_progress(clock, name, share)
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        def render(self, task: Task) -> Text:  # noqa: ARG002, rich's signature
            return Text(str(clock), style="progress.remaining")

    columns = (TextColumn("{task.description:<40.40}", markup=False), BarColumn(), TimeElapsedColumn(), TimeLeft())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("audit", total=1.0)

        def show(name: str, share: float) -> None:
            if name:
                raise_dropped_interrupt()
            clock.update(share)
            bar.update(task, description=name or "done", completed=share)

        yield show


def print_progress(clock: Clock, name: str, share: float) -> None:
    """Print the section that starts, and the time left if it is known."""
    if name:
        raise_dropped_interrupt()
    clock.update(share)
    if name and (": " not in name or get_level() == "verbose"):  # otherwise steps are shown in a terminal only
        say(f"{name} … {clock}".rstrip())
