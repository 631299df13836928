"""Progress of a training: a bar with rich, plain lines without it, nothing away from a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from assay.system.terminal import make_console


class TrainingProgress:
    """A bar with the loss and the time left. `verbose=None` shows it when standard error is a terminal."""

    def __init__(self, title: str, n_steps: int, verbose: bool | None = None, every: float = 0.5) -> None:
        self.title = title
        self.n_steps = n_steps
        self.is_shown = sys.stderr.isatty() if verbose is None else verbose
        self.every = every
        self.started = self.last_shown = time.monotonic()
        self.first_step = 0
        self.bar: Any = None

    def __enter__(self) -> Self:
        if self.is_shown and sys.stderr.isatty():
            self.bar = _make_bar(self.title, self.n_steps)
        if self.bar is None:
            self.every = max(self.every, 10.0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def is_due(self) -> bool:
        """Return whether it is time to show something; reading the loss makes a GPU wait."""
        return self.is_shown and time.monotonic() - self.last_shown >= self.every

    def show(self, step: int, state: str) -> None:
        """Show the step and the state of the training."""
        self.last_shown = time.monotonic()
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=step, state=state)
        elif self.is_shown:
            left = _format_time(self.estimate_seconds(step))
            print(f"{self.title}: step {step} of {self.n_steps}, {state}, {left} left", file=sys.stderr, flush=True)

    def estimate_seconds(self, step: int) -> float:
        """Return the seconds left at the pace so far."""
        done = max(1, step - self.first_step)
        return (time.monotonic() - self.started) / done * (self.n_steps - step)


def _make_bar(title: str, n_steps: int) -> Any:
    try:
        from rich import progress
    except ImportError:
        return None
    columns: list[Any] = [
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TextColumn("{task.fields[state]}", markup=False),
        progress.TimeRemainingColumn(),
    ]
    bar = progress.Progress(*columns, console=make_console(stderr=True), transient=True)
    bar.add_task(title, total=n_steps, state="")
    bar.start()
    return bar


def _format_time(seconds: float) -> str:
    """Write seconds as minutes and seconds.

    >>> _format_time(75.2)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
