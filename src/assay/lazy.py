"""Names of a package that are loaded when first asked for, so that `import assay` and `assay --help` stay instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package: `homes` says in which module of it a name lives.

    >>> lazily("assay", {"Registry": "registry"})("Registry").__name__
    'Registry'
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find
