"""A progress bar for commands that take long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from assay.cli.verbosity import get_level
from assay.system.terminal import make_console


@contextmanager
def show_progress() -> Iterator[Callable[[str, float], None] | None]:
    """Yield a function that moves a progress bar on standard error, or None away from a terminal.

    It takes the step that runs, and the share of the work that is done.
    """
    console = make_console(stderr=True)
    if not console.is_terminal or get_level() != "normal":
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<12}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda step, share: bar.update(task, description=step or "done", completed=share)


@contextmanager
def show_steps() -> Iterator[None]:
    """Show the steps of tasks in the block, and how many of each are done."""
    from assay.tasks import listen_to_steps

    with show_progress() as progress:
        if progress is None:
            yield
            return

        def report(step: str, n_done: int, n_total: int) -> None:
            progress(f"{step} {n_done:,} of {n_total:,}" if n_total else step, n_done / n_total if n_total else 0.0)

        with listen_to_steps(report):
            yield
