"""One thread for linear algebra: sums round the same on every machine, and `n_jobs` is what makes work faster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import threadpool_limits

TORCH = "torch"
_lock = Lock()
_limits: list[threadpool_limits] = []  # of everyone who is inside, outermost first
_n_users = 0


@contextmanager
def use_one_thread(*modules: str) -> Iterator[None]:
    """Let linear algebra work with one thread, in a `with` block or a decorated function.

    The limit reaches only libraries that are loaded, so `modules` are imported first; "torch" is limited only if it is
    among them. Several threads may be inside: the first sets the limit, and the last one lifts it.
    """
    with _use_one_torch_thread(is_needed=TORCH in modules):
        _enter([module for module in modules if module != TORCH])
        try:
            yield
        finally:
            _leave()


def _enter(modules: list[str]) -> None:
    from threadpoolctl import threadpool_limits

    global _n_users
    for module in modules:
        import_module(module)
    with _lock:
        _n_users += 1
        if _n_users == 1 or modules:
            _limits.append(threadpool_limits(1))


def _leave() -> None:
    global _n_users
    with _lock:
        _n_users -= 1
        while _n_users == 0 and _limits:
            _limits.pop().restore_original_limits()


@contextmanager
def _use_one_torch_thread(*, is_needed: bool) -> Iterator[None]:
    if not is_needed or find_spec(TORCH) is None:
        yield
        return
    torch = import_module(TORCH)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
