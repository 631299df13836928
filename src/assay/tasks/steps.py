"""Tell whoever listens which step of a long computation runs, and how much of it is done."""

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
    """Say which step runs; nothing happens where nobody listens."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(step, n_done, n_total)


@contextmanager
def shift_steps(n_before: int, n_total: int) -> Iterator[None]:
    """Count the steps inside the block as a batch of `n_total`, of which `n_before` were done before.

    >>> from assay.tasks import run_tasks
    >>> with listen_to_steps(print), shift_steps(5, 6):
    ...     _ = run_tasks(max, [(1, 5)])
    max 5 6
    max 6 6
    """
    listener = _LISTENER.get()
    if listener is None:
        yield
        return
    with listen_to_steps(lambda step, n_done, _: listener(step, n_before + n_done, n_total)):
        yield
