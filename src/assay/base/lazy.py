"""Load modules when their names are first used, so that `import assay` and `assay --help` stay instant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `modules` maps each exported name to the module that defines it.

    >>> lazy_attributes("assay.base", {"Registry": "registry"})("Registry").__name__
    'Registry'
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return load


def import_modules(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, so that what they define is registered.

    Call it as `import_modules(__name__, __path__)` in the package's `__init__`.
    """
    for module in sorted(iter_modules(path), key=lambda module: module.name):
        import_module(f"{package}.{module.name}")


def load_by_name(module: str, name: str) -> Any:
    """Return a function of a package of a higher layer, which must not be imported otherwise."""
    return getattr(import_module(module), name)
