"""One thread for the sums of an audit, so that they round the same on every machine; `--jobs` is what goes faster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def one_thread(*, neural: bool = False) -> Iterator[None]:
    """Let linear algebra, and torch where neural models are trained, work with one thread.

    The limit reaches only libraries that are loaded, so those that bring threads of their own are loaded first.
    """
    import scipy.linalg  # noqa: F401
    import sklearn.utils  # noqa: F401
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), _torch_alone(neural=neural):
        yield


@contextmanager
def _torch_alone(*, neural: bool) -> Iterator[None]:
    if not neural or find_spec("torch") is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
