"""Registries: the names users type, and the methods they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from assay.base.errors import unknown_name
from assay.base.plugins import load_plugins

T = TypeVar("T")
U = TypeVar("U")


class Registry(Mapping[str, T], Generic[T]):
    """An ordered mapping from names to methods of one kind. A method registers itself with `add`.

    With `plugins=True`, packages of users can add methods, too; they are loaded when the registry is first read.
    `order` sorts the methods, whatever the order in which their modules are imported.

    >>> shapes: Registry[type] = Registry("shape")
    >>> @shapes.add("circle")
    ... class Circle: ...
    >>> shapes["circle"] is Circle, list(shapes)
    (True, ['circle'])
    >>> shapes["circel"]
    Traceback (most recent call last):
    assay.base.errors.UsageError: No shape 'circel'. Did you mean 'circle'? Known: circle.
    """

    def __init__(
        self,
        kind: str,
        methods: Mapping[str, T] | Iterable[tuple[str, T]] = (),
        *,
        plugins: bool = False,
        order: Callable[[T], Any] | None = None,
    ) -> None:
        self.kind = kind
        self._methods = dict(methods)
        self._takes_plugins = plugins
        self._order = order

    def add(self, name: str) -> Callable[[U], U]:
        """Return a decorator that registers a method under a name, which must be free."""

        def register(method: U) -> U:
            self.put(name, method)
            return method

        return register

    def put(self, name: str, method: Any) -> None:
        """Register a method under a name, which must be free."""
        if name in self._methods:
            raise RuntimeError(f"The {self.kind} '{name}' is registered twice.")
        self._methods[name] = method
        if self._order is not None:
            key = self._order
            self._methods = dict(sorted(self._methods.items(), key=lambda pair: key(pair[1])))

    def _read(self) -> dict[str, T]:
        if self._takes_plugins:
            load_plugins()
        return self._methods

    def __getitem__(self, name: str) -> T:
        methods = self._read()
        if name not in methods:
            raise unknown_name(self.kind, name, methods)
        return methods[name]

    def __contains__(self, name: object) -> bool:
        return name in self._read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())
