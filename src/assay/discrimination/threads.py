"""Keep small linear algebra on one thread: many small products wait longer for threads than they gain."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def use_one_thread(function: Function) -> Function:
    """Run a function with the linear algebra library limited to one thread."""

    @wraps(function)
    def limited(*arguments: Any, **options: Any) -> Any:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*arguments, **options)

    return limited  # type: ignore[return-value]
