"""How far an audit is, with the time left, on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assay.audits.running import Progress
from assay.cli.output import say


@contextmanager
def progress() -> Iterator[Progress]:
    """Yield a function that shows the section that starts: as a bar in a terminal, as lines elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda name, _share: say(f"{name} …") if name else None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:<15}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("audit", total=1.0)
        yield lambda name, share: bar.update(task, description=name or "done", completed=share)
