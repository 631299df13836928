"""Run large computations on several processes; the results are the same as on one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assay.base.errors import UsageError
from assay.tasks.running import check_backend, run_tasks
from assay.tasks.threads import use_one_thread

T = TypeVar("T")

MIN_DRAWS = 50_000_000  # less work than drawing so many numbers is done at once: starting processes takes longer


@dataclass(frozen=True)
class Workers:
    """Where to compute: the number of processes (−1: all cores) and the back end of `assay.tasks`."""

    n_jobs: int = 1
    backend: str | None = None

    def __post_init__(self) -> None:
        if self.n_jobs == 0:
            raise UsageError("is 0.", option="n_jobs", hint="Use the number of processes, or -1 for all cores.")
        if self.backend is not None:
            check_backend(self.backend)

    def run(self, function: Callable[..., T], arguments: Sequence[tuple[object, ...]], n_draws: float) -> list[T]:
        """Call the function for every tuple of arguments and return the results in order.

        `n_draws` is about how many random numbers all calls draw together.
        """
        if n_draws < MIN_DRAWS or len(arguments) < 2:
            return [function(*task) for task in arguments]
        tasks = [(function, task) for task in arguments]
        return run_tasks(_call_on_one_thread, tasks, n_jobs=self.n_jobs, backend=self.backend)


def _call_on_one_thread(function: Callable[..., T], arguments: tuple[object, ...]) -> T:
    with use_one_thread():
        return function(*arguments)
