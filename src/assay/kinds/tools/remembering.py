"""Keep what was computed last for one object: the references of a dataset serve all systems."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")
Source = TypeVar("Source")


def remember_last(function: Callable[[Source], T]) -> Callable[[Source], T]:
    """Return the last value again if the argument is the same object.

    >>> calls = []
    >>> count = remember_last(lambda texts: calls.append(1) or len(texts))
    >>> texts = ["a", "b"]
    >>> count(texts), count(texts), len(calls)
    (2, 2, 1)
    """
    last: list[tuple[Source, T]] = []

    @wraps(function)
    def compute_once(argument: Source) -> T:
        known = last[-1:]
        if known and known[0][0] is argument:
            return known[0][1]
        value = function(argument)
        last[:] = [(argument, value)]
        return value

    return compute_once
