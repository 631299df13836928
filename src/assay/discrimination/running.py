"""Run the parts of an analysis, in parallel if requested, and report the share of the work that is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from assay.tasks import run_tasks

T = TypeVar("T")

Progress = Callable[[str, float], None]  # the step that runs, and the share of the work that is done
BATCHES = 10  # of parallel tasks: progress is reported between them


@dataclass
class TaskRunner:
    """Run tasks and add up the work done; `total` is the work expected over all steps."""

    n_jobs: int = 1
    backend: str | None = None
    progress: Progress | None = None
    total: float = 0.0
    done: float = 0.0

    def run(
        self, step: str, function: Callable[..., T], arguments: Sequence[tuple[object, ...]], work: float = 1.0
    ) -> list[T]:
        """Call the function on every tuple of arguments and return the results in order; `work` is the work of one call."""
        if self.progress is None:
            return run_tasks(function, arguments, n_jobs=self.n_jobs, backend=self.backend)
        size = 1 if self.n_jobs == 1 else max(2 * abs(self.n_jobs), len(arguments) // BATCHES)
        results: list[Any] = []
        for start in range(0, len(arguments), size):
            self.progress(step, min(1.0, self.done / self.total) if self.total else 0.0)
            batch = arguments[start : start + size]
            results += run_tasks(function, batch, n_jobs=self.n_jobs, backend=self.backend)
            self.done += work * len(batch)
        return results

    def finish(self) -> None:
        """Report that all work is done."""
        if self.progress is not None:
            self.progress("", 1.0)
