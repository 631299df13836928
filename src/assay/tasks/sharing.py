"""Values that many tasks read, such as the index of a benchmark: every worker gets them once, not with every task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

T = TypeVar("T")
Task: TypeAlias = tuple[Any, ...]
Value: TypeAlias = Any  # of any type

MAX_LOADED = 2  # shared values that a worker process keeps


@dataclass(frozen=True, eq=False)
class Shared(Generic[T]):
    """An argument that all tasks have in common; the function that is called gets its value.

    >>> from assay.tasks import run_tasks
    >>> run_tasks(max, [(Shared([1, 5]),), (Shared([7]),)])
    [5, 7]
    """

    value: T

    @cached_property
    def digest(self) -> str:
        """Return the hash that names the value in the keys of finished tasks; computed once."""
        import joblib

        return str(joblib.hash(self.value))


@dataclass(frozen=True)
class SharedFile:
    """A shared value in a file, which worker processes of this machine map into their memory."""

    path: str


def unwrap(arguments: Sequence[object]) -> Task:
    """Return the arguments with the values of shared ones."""
    return tuple(each.value if isinstance(each, Shared) else each for each in arguments)


def name_shared(arguments: Sequence[object]) -> Task:
    """Return the arguments with the digests of shared ones."""
    return tuple(each.digest if isinstance(each, Shared) else each for each in arguments)


def write_shared(tasks: Sequence[Sequence[object]], folder: Path) -> list[Task]:
    """Write the shared values of tasks to files and return the tasks with these files."""
    import joblib

    files: dict[int, SharedFile] = {}
    for task in tasks:
        for each in task:
            if isinstance(each, Shared) and id(each) not in files:
                files[id(each)] = SharedFile(str(folder / f"shared-{len(files)}.joblib"))
                joblib.dump(each.value, files[id(each)].path)
    return [tuple(files[id(each)] if isinstance(each, Shared) else each for each in task) for task in tasks]


def load_arguments(arguments: Sequence[object]) -> Task:
    """Return the arguments with the values of shared files, in a worker process."""
    return tuple(_load(each.path) if isinstance(each, SharedFile) else each for each in arguments)


@lru_cache(maxsize=MAX_LOADED)
def _load(path: str) -> object:
    """Map a file into memory; its arrays are plain ones, so that compiled loops take them as they take others."""
    import joblib

    # Pages are copied when they are written: workers share the file, and arrays may be written as in this process.
    return _take_plain(joblib.load(path, mmap_mode="c"))


def _take_plain(value: Value) -> Value:
    if isinstance(value, np.memmap):
        return np.asarray(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_take_plain, value))
    return type(value)(map(_take_plain, value)) if type(value) in (tuple, list) else value
