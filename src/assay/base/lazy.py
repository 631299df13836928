"""Load modules when their names are first used, so that `import assay` and `assay --help` stay instant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NoReturn


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `modules` maps each exported name to the module that defines it.

    Other names are those of its modules.

    >>> lazy_attributes("assay.base", {"Registry": "registry"})("Registry").__name__
    'Registry'
    """

    def load(name: str) -> Any:
        if name not in modules:
            if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
                return import_module(f"{package}.{name}")
            raise AttributeError(f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package])
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return load


class Package(ModuleType):
    """A package that is taken for the function it contains."""

    function: str

    def __call__(self, *_values: object, **_options: object) -> NoReturn:
        """Say which function to call."""
        raise TypeError(f"{self.__name__} is a package. Call assay.{self.function}(…).")


def name_function(package: str, function: str) -> None:
    """Let a call of a package say which function to call, such as `assay.find_suspects` for `assay.suspects(…)`."""
    module = sys.modules[package]
    module.__class__ = Package
    module.__dict__["function"] = function


def import_modules(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, so that what they define is registered.

    Call it as `import_modules(__name__, __path__)` in the package's `__init__`.
    """
    for module in sorted(iter_modules(path), key=lambda module: module.name):
        import_module(f"{package}.{module.name}")


def load_by_name(module: str, name: str) -> Any:
    """Return a function of a package of a higher layer, which must not be imported otherwise."""
    return getattr(import_module(module), name)
