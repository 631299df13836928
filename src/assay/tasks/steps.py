"""Tell whoever listens which step of a long computation runs, and its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

StepListener = Callable[[str, int, int], None]  # the step, how many of its tasks are done, and how many there are
_LISTENER: ContextVar[StepListener | None] = ContextVar("step_listener", default=None)


@contextmanager
def listen_to_steps(listener: StepListener | None) -> Iterator[None]:
    """Call a function with every step that starts or goes on inside the block.

    >>> from assay.tasks import run_tasks
    >>> with listen_to_steps(print):
    ...     _ = run_tasks(max, [(1, 5), (7, 2)])
    max 0 2
    max 1 2
    max 2 2
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def announce_step(step: str, n_done: int = 0, n_total: int = 0) -> None:
    """Say which step runs; nothing happens if nobody listens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(step, n_done, n_total)
