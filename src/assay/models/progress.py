"""Show how a training goes: a bar with rich, plain lines without it, nothing where nobody looks."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self


class Progress:
    """A bar with the loss and the time left. `verbose=None` shows it when standard error is a terminal."""

    def __init__(self, title: str, n_steps: int, verbose: bool | None = None, every: float = 0.5) -> None:
        self.title = title
        self.n_steps = n_steps
        self.shown = sys.stderr.isatty() if verbose is None else verbose
        self.every = every
        self.began = self.last = time.monotonic()
        self.first_step = 0
        self.bar: Any = None

    def __enter__(self) -> Self:
        if self.shown and sys.stderr.isatty():
            self.bar = _rich_bar(self.title, self.n_steps)
        if self.bar is None:
            self.every = max(self.every, 10.0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def due(self) -> bool:
        """Tell whether it is time to show something; asking for the loss makes a GPU wait."""
        return self.shown and time.monotonic() - self.last >= self.every

    def show(self, step: int, told: str) -> None:
        """Show where the training stands."""
        self.last = time.monotonic()
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=step, told=told)
        elif self.shown:
            left = _clock(self.left(step))
            print(f"{self.title}: step {step} of {self.n_steps}, {told}, {left} left", file=sys.stderr, flush=True)

    def left(self, step: int) -> float:
        """Return the seconds to go at the pace so far."""
        done = max(1, step - self.first_step)
        return (time.monotonic() - self.began) / done * (self.n_steps - step)


def _rich_bar(title: str, n_steps: int) -> Any:
    try:
        from rich import progress
        from rich.console import Console
    except ImportError:
        return None
    columns: list[Any] = [
        "{task.description}",
        progress.BarColumn(),
        "{task.fields[told]}",
        progress.TimeRemainingColumn(),
    ]
    bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(title, total=n_steps, told="")
    bar.start()
    return bar


def _clock(seconds: float) -> str:
    """Write seconds as minutes and seconds.

    >>> _clock(75.2)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
