"""Names users type, and the things they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from assay.errors import unknown

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """An ordered mapping from names to methods of one kind, whose errors list what exists.

    >>> shapes = Registry("shape", {"circle": 1, "square": 2})
    >>> shapes["circle"], list(shapes)
    (1, ['circle', 'square'])
    >>> shapes["sqare"]
    Traceback (most recent call last):
    assay.errors.UsageError: No shape 'sqare'. Did you mean 'square'? Known: circle, square.
    """

    def __init__(self, kind: str, methods: Mapping[str, T] | Iterable[tuple[str, T]]) -> None:
        self.kind = kind
        self._methods = dict(methods)

    def __getitem__(self, name: str) -> T:
        if name not in self._methods:
            raise unknown(self.kind, name, self._methods)
        return self._methods[name]

    def __contains__(self, name: object) -> bool:
        return name in self._methods

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)
