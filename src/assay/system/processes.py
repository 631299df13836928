"""Worker processes: they import nothing from the working folder, and end when the process that started them ends."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from warnings import catch_warnings, simplefilter

PARENT_CHECK_SECONDS = 1.0
PARENT_VARIABLE = "ASSAY_PARENT"
_PICKLERS = tuple(f"{name}cloudpickle.cloudpickle" for name in ("", "joblib.externals.", "ray."))
_PACKAGE_FOLDER = Path(__file__).resolve().parents[2]
_lock = threading.Lock()
_active: list[_Guard] = []
_n_users = 0


class _Guard:
    """The changes that keep the working folder off the import path of new processes, and the way back."""

    def __init__(self) -> None:
        """Take the working folder from `sys.path` and `PYTHONPATH`, and switch Python's safe path on."""
        unsafe = set(find_unsafe_entries(sys.path))
        self._dropped = [(at, entry) for at, entry in enumerate(sys.path) if at in unsafe]
        self._variables = {name: os.environ.get(name) for name in ("PYTHONSAFEPATH", "PYTHONPATH")}
        sys.path[:] = [entry for at, entry in enumerate(sys.path) if at not in unsafe]
        self._modules = _register_modules([entry or os.curdir for _, entry in self._dropped])
        secure_environment(os.environ)

    def undo(self) -> None:
        """Restore the import path of this process; entries that were added in the meantime stay."""
        for at, entry in self._dropped:
            sys.path.insert(at, entry)
        for name, value in self._variables.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        for pickler, module in self._modules:
            pickler.unregister_pickle_by_value(module)


def ignore_numba_settings() -> None:
    """Import Numba so that it reads no settings from the working folder, unless it is imported already.

    `.numba_config.yaml` can name a folder of compiled functions, which are pickles: reading one runs code. Settings in
    the environment (`NUMBA_…`) count as ever.
    """
    if "numba" in sys.modules or find_spec("numba") is None:
        return
    yaml = sys.modules.get("yaml")
    sys.modules["yaml"] = None  # type: ignore[assignment]  # which Numba takes for not installed
    try:
        with catch_warnings():
            simplefilter("ignore")  # that the settings cannot be read
            config = import_module("numba.core.config")
    finally:
        del sys.modules["yaml"]
        if yaml is not None:
            sys.modules["yaml"] = yaml
    setattr(config, "_config_fname", os.devnull)  # noqa: B010, numba reads the file before every compilation


@contextmanager
def guard_imports() -> Iterator[None]:
    """Keep the working folder off the import path of processes that are started inside the block.

    A worker would otherwise run code of a downloaded folder that has a file such as joblib.py. Functions of the user's
    own modules in the working folder are sent by value, so that workers need not import them.
    """
    global _n_users
    with _lock:
        _n_users += 1
        if _n_users == 1:
            _active.append(_Guard())
    try:
        yield
    finally:
        with _lock:
            _n_users -= 1
            if _n_users == 0:
                _active.pop().undo()


def secure_environment(environment: os._Environ[str] | dict[str, str]) -> None:
    """Make Python processes that get this environment import nothing from the working folder.

    >>> environment = {"PYTHONPATH": os.pathsep.join(["", "/own/modules", "."])}
    >>> secure_environment(environment)
    >>> environment["PYTHONSAFEPATH"], environment["PYTHONPATH"]
    ('1', '/own/modules')
    """
    environment["PYTHONSAFEPATH"] = "1"
    if "PYTHONPATH" in environment:
        entries = environment["PYTHONPATH"].split(os.pathsep)
        unsafe = set(find_unsafe_entries(entries))
        environment["PYTHONPATH"] = os.pathsep.join(entry for at, entry in enumerate(entries) if at not in unsafe)


def find_unsafe_entries(entries: Sequence[str]) -> list[int]:
    """Return the positions of the working folder in front of the standard library, if it could replace any module.

    Behind the standard library are the folders of installed packages, also of one that is developed in the working
    folder. The folder that assay itself comes from stays.

    >>> find_unsafe_entries(["", "/own/modules", os.getcwd(), os.path.dirname(os.__file__)])
    [0, 2]
    """
    library = str(Path(os.__file__).parent)
    end = entries.index(library) if library in entries else len(entries)
    folder = _find_working_folder()
    if folder == _PACKAGE_FOLDER:
        return []
    return [at for at, entry in enumerate(entries[:end]) if not entry or Path(entry).resolve() == folder]


def _find_working_folder() -> Path | None:
    try:
        return Path.cwd().resolve()
    except OSError:  # it was deleted
        return None


def make_child_environment() -> dict[str, str]:
    """Return the environment of a process of assay that this one starts, which then ends with it."""
    environment = {**os.environ, PARENT_VARIABLE: str(os.getpid())}
    secure_environment(environment)
    return environment


def obey_parent() -> None:
    """End with the process that started this one, if that asked for it."""
    if parent := os.environ.pop(PARENT_VARIABLE, None):
        end_with_parent(int(parent))


def prepare_worker(parent: int) -> None:
    """End this worker with its parent, and make what it prints safe for terminals."""
    from assay.system.terminal import guard_worker_streams

    end_with_parent(parent)
    guard_worker_streams()


def end_with_parent(parent: int) -> None:
    """End this process when the process that started it is gone, also if that was killed before this call."""
    if os.getppid() != parent:
        os._exit(1)
    _watch_parent(parent)


@cache
def _watch_parent(parent: int) -> None:
    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_CHECK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="assay-parent").start()


def _register_modules(folders: list[str]) -> list[tuple[ModuleType, ModuleType]]:
    """Send functions of top-level modules in these folders by value from now on; return what was registered."""
    parents = {Path(folder).resolve() for folder in folders}
    loaded = [sys.modules[name] for name in list(sys.modules) if parents and "." not in name]
    modules = [module for module in loaded if isinstance(module, ModuleType) and _find_folder(module) in parents]
    modules = list({module.__name__: module for module in modules}.values())  # multiprocessing has __main__ twice
    registered = []
    for pickler in _load_picklers() if modules else ():
        known = pickler.list_registry_pickle_by_value()
        registered += [(pickler, module) for module in modules if module.__name__ not in known]
    for pickler, module in registered:
        pickler.register_pickle_by_value(module)
    return registered


def _load_picklers() -> Iterator[ModuleType]:
    """Yield the modules that pickle tasks: joblib has one of the first two, Ray its own."""
    for name in _PICKLERS:
        if name.split(".", maxsplit=1)[0] != "ray" or "ray" in sys.modules:
            with suppress(ImportError):
                yield import_module(name)


def _find_folder(module: ModuleType) -> Path | None:
    """Return the folder from which a top-level module is imported."""
    spec = getattr(module, "__spec__", None)
    locations = getattr(spec, "submodule_search_locations", None)
    place = next(iter(locations or ()), None) or getattr(module, "__file__", None)
    return None if place is None else Path(place).resolve().parent
