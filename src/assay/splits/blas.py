"""Keep linear algebra on one thread: work is divided by tasks, and the same sums round the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

_lock = Lock()
_state: dict[str, Any] = {"n_users": 0, "limit": None}


@contextmanager
def limit_blas_threads() -> Iterator[None]:
    """Limit BLAS to one thread. Several threads may be inside: the first sets the limit, the last lifts it."""
    from threadpoolctl import threadpool_limits

    with _lock:
        _state["n_users"] += 1
        if _state["n_users"] == 1:
            _state["limit"] = threadpool_limits(1, "blas")
    try:
        yield
    finally:
        with _lock:
            _state["n_users"] -= 1
            if _state["n_users"] == 0:
                _state["limit"].restore_original_limits()
