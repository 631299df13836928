"""Calls for many shards, a batch at a time; results whose files are gone are computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from assay.base.parameters import Options
from assay.tasks import run_tasks, shift_steps

T = TypeVar("T")

BATCH_SHARDS = 64


def iterate_results(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    list_files: Callable[[T], Sequence[Path]],
    tasks: Options,
) -> Iterator[T]:
    """Yield the result for every shard in order; `list_files` names the files on disk that belong to a result."""
    for start in range(0, len(arguments), BATCH_SHARDS):
        batch = arguments[start : start + BATCH_SHARDS]
        with shift_steps(start, len(arguments)):
            results = run_tasks(function, batch, **tasks)
        missing = [number for number, each in enumerate(results) if not all(map(Path.exists, list_files(each)))]
        if missing:
            again = run_tasks(function, [batch[number] for number in missing], **tasks | {"cache": None})
            for number, result in zip(missing, again, strict=True):
                results[number] = result
        yield from results
