"""Run compiled code, which releases the interpreter's lock, on a few threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
MAX_THREADS = 4


def map_in_threads(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield the function's results in the order of the items, a few of them in progress at a time."""
    import numba

    # numba's limit is the number of cores we may use; joblib lowers it in its workers.
    n_threads = min(MAX_THREADS, int(numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    remaining = iter(items)
    first = list(islice(remaining, 2))
    if len(first) < 2 or n_threads == 1:
        yield from map(function, chain(first, remaining))
        return
    with ThreadPoolExecutor(n_threads) as pool:
        in_progress = deque(pool.submit(function, item) for item in first)
        for item in remaining:
            in_progress.append(pool.submit(function, item))
            if len(in_progress) > 2 * n_threads:
                yield in_progress.popleft().result()
        yield from (task.result() for task in in_progress)
