"""Load modules when their names are first used, so that `import assay` and `assay --help` stay instant."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import get_data, iter_modules
from types import ModuleType
from typing import Any, NoReturn


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that imports its names below `if TYPE_CHECKING:`.

    Type checkers see these imports, and Python carries one out when its name is first used. Other names are names of
    modules of the package.

    >>> load, _ = lazy_exports("assay.models.quick")
    >>> load("QuickStudy").__module__
    'assay.models.quick.results'
    """

    @cache
    def list_modules() -> dict[str, str]:
        return dict(_find_imports((get_data(package, "__init__.py") or b"").decode()))

    def load(name: str) -> Any:
        if name in list_modules():
            return getattr(import_module(list_modules()[name]), name)
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package])

    return load, lambda: list(sys.modules[package].__all__)


def _find_imports(source: str) -> Iterator[tuple[str, str]]:
    """Yield the names that are imported below `if TYPE_CHECKING:`, and their modules."""
    for block in ast.parse(source).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for line in block.body:
                if isinstance(line, ast.ImportFrom) and line.module is not None:
                    yield from ((alias.name, line.module) for alias in line.names)


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
