"""Compiled loops. They come compiled with the wheel of a platform; otherwise numba compiles them on the first run.

`compiled/` has the machine code of a workload, with the versions, instructions and sources it was made from
(`scripts/compile_loops.py` writes it). Code that does not fit this installation is ignored. Loops that are compiled here
are kept where numba keeps them; an installation that cannot be written to works too.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

PACKAGE = Path(__file__).parents[1]
FOLDER = PACKAGE / "base" / "compiled"
INDEX, CODE = "loops.json", "loops.bin"
SWITCH = "ASSAY_COMPILE"  # environment variable; 1 compiles all loops on this machine
Untyped: TypeAlias = Any  # what numba makes
CompileListener = Callable[[int, float], None]  # how many loops were compiled, and the seconds since the first began

_RECORDED: dict[str, bytes] | None = None  # what has been compiled, while the code of a wheel is made
_MODULES: set[str] = set()  # that have loops
_LISTENERS: list[CompileListener] = []
_STARTED: list[float] = []  # when each loop of this process began to compile


def compile_loop(function: Callable[..., object] | None = None, **options: Untyped) -> Untyped:
    """Compile a function when it is first called, as `numba.njit` does, unless its code came with the installation.

    >>> @compile_loop
    ... def add(a, b):
    ...     return a + b
    >>> add(1, 2)
    3
    """
    from numba import njit

    def compile_function(function: Callable[..., object]) -> Untyped:
        loop = njit(nogil=True, **options)(function)
        if hasattr(loop, "_cache"):  # a plain function if NUMBA_DISABLE_JIT is set
            loop._cache = _LoopCache(function)  # noqa: SLF001, numba's own caches are chosen here too
        _MODULES.add(function.__module__)
        return loop

    return compile_function if function is None else compile_function(function)


@contextmanager
def listen_to_compiling(listener: CompileListener) -> Iterator[None]:
    """Call a function whenever a loop begins to compile inside the block; the innermost block hears it."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


@dataclass(frozen=True)
class LoopCode:
    """Machine code of loops, one after the other in a file, and where that of each is."""

    path: Path
    places: dict[str, tuple[int, int]]

    def read(self, key: str) -> bytes | None:
        """Return the code of a loop; None if it was not compiled."""
        if key not in self.places:
            return None
        start, size = self.places[key]
        with self.path.open("rb") as file:
            file.seek(start)
            return file.read(size)


@cache
def find_code(folder: Path = FOLDER) -> LoopCode | None:
    """Return the code that came with the installation; None if there is none, it does not fit or is not wanted."""
    if os.environ.get(SWITCH) == "1":
        return None
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if index["platform"] != describe_platform() or not _has_instructions(index["instructions"]):
        return None
    if any(hash_source(PACKAGE / name) != stamp for name, stamp in index["sources"].items()):
        return None
    return LoopCode(folder / CODE, {key: (start, size) for key, (start, size) in index["loops"].items()})


def describe_platform() -> str:
    """Return what machine code depends on, apart from the processor: versions and platform."""
    import numba
    from llvmlite.binding import get_process_triple

    return f"numba {numba.__version__}, {sys.implementation.cache_tag}, {get_process_triple()}"


def hash_source(path: Path) -> str:
    """Return the hash of a source file; empty if it cannot be read."""
    import hashlib

    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def start_recording() -> dict[str, bytes]:
    """Keep the code of every loop that is compiled from now on, and use no other; return where it is kept."""
    global _RECORDED
    _RECORDED = {}
    return _RECORDED


def list_loop_modules() -> list[str]:
    """Return the modules with loops that have been imported."""
    return sorted(_MODULES)


def _has_instructions(needed: list[str]) -> bool:
    from llvmlite.binding import get_host_cpu_features

    features = get_host_cpu_features()
    return all(features.get(name, False) for name in needed)


class _LoopCache:
    """Looks for code that came with the installation, then in numba's cache; has the methods of numba's caches."""

    def __init__(self, function: Callable[..., object]) -> None:
        caching: Untyped = import_module("numba.core.caching")  # which has no types

        self._name = f"{function.__module__}.{function.__qualname__}"
        try:
            self._own: Untyped = caching.FunctionCache(function)
        except RuntimeError:  # no folder can be written to: compiled in every process
            self._own = caching.NullCache()

    @property
    def cache_path(self) -> str | None:
        """The folder of numba's cache."""
        return self._own.cache_path

    def load_overload(self, signature: object, context: Untyped) -> Untyped:
        """Return the compiled loop for types of arguments; None if it has to be compiled."""
        loop = None if _RECORDED is not None else self._load(signature, context)
        if loop is None and _RECORDED is None:
            loop = self._own.load_overload(signature, context)
        if loop is None:
            _STARTED.append(time.monotonic())
            if _LISTENERS:
                _LISTENERS[-1](len(_STARTED), _STARTED[-1] - _STARTED[0])
        return loop

    def save_overload(self, signature: object, loop: Untyped) -> None:
        """Keep a loop that was compiled."""
        if _RECORDED is None:
            self._own.save_overload(signature, loop)
        elif not loop.library.has_dynamic_globals:
            serialize: Untyped = import_module("numba.core.serialize")
            _RECORDED[f"{self._name} {signature!r}"] = serialize.dumps(loop._reduce())  # noqa: SLF001

    def enable(self) -> None:
        """Use numba's cache."""
        self._own.enable()

    def disable(self) -> None:
        """Use no cache of numba."""
        self._own.disable()

    def flush(self) -> None:
        """Empty numba's cache."""
        self._own.flush()

    def _load(self, signature: object, context: Untyped) -> Untyped:
        code = find_code()
        content = code.read(f"{self._name} {signature!r}") if code else None
        if content is None:
            return None
        import pickle

        compiler: Untyped = import_module("numba.core.compiler")
        context.refresh()
        return compiler.CompileResult._rebuild(context, *pickle.loads(content))  # noqa: S301, SLF001, part of the package
