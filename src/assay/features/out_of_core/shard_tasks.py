"""Calls for many shards; results whose files are gone are computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from assay.base.parameters import Options
from assay.tasks import iterate_tasks, run_tasks

T = TypeVar("T")


def iterate_results(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    list_files: Callable[[T], Sequence[Path]],
    tasks: Options,
) -> Iterator[T]:
    """Yield the result for every shard in order; `list_files` names the files on disk that belong to a result."""
    for task, result in zip(arguments, iterate_tasks(function, arguments, **tasks), strict=True):
        if all(map(Path.exists, list_files(result))):
            yield result
        else:
            yield from run_tasks(function, [task], **tasks | {"cache": None})
