"""Run compiled code, which lets go of the interpreter's lock, on a few threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield the function's results in the order of the items, a few of them under way at a time."""
    import numba

    n_threads = min(4, int(numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    # the cores we may use; joblib lowers it in its workers
    remaining = iter(items)
    first = list(islice(remaining, 2))
    if len(first) < 2 or n_threads == 1:
        yield from map(function, chain(first, remaining))
        return
    with ThreadPoolExecutor(n_threads) as pool:
        under_way = deque(pool.submit(function, item) for item in first)
        for item in remaining:
            under_way.append(pool.submit(function, item))
            if len(under_way) > 2 * n_threads:
                yield under_way.popleft().result()
        yield from (task.result() for task in under_way)
