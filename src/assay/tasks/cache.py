"""Results of finished tasks on disk, named by what produced them."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from assay import __version__
from assay.base.errors import AssayError
from assay.system.files import open_for_writing
from assay.tasks.storage import decode_entry, encode_entry

T = TypeVar("T")

_NOTED: set[Path] = set()


def default_cache() -> Path:
    """Return the folder for finished tasks: $ASSAY_CACHE, else the user's cache folder."""
    folder = os.environ.get("ASSAY_CACHE")
    if folder:
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "assay" / "tasks"


def find_code_folder(folder: str | Path | bool) -> Path:
    """Return the folder for finished work, one for every version of the code, so that no old result is reused."""
    return (default_cache() if folder is True else Path(str(folder))) / f"audit-{_hash_code()}"


@cache
def _hash_code() -> str:
    """Return a hash of the files of this package, without compiled code."""
    import assay

    digest = hashlib.sha256()
    home = Path(assay.__file__).parent
    for path in sorted(home.rglob("*.*")):
        if path.suffix not in (".pyc", ".bin", ".nbi", ".nbc") and path.is_file():
            digest.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


class TaskCache:
    """A folder of results. An entry is written completely or not at all, also when the process is killed.

    Entries are inert (see `storage`): reading one never runs code, and a damaged one counts as missing. If an entry
    cannot be written, on a full disk or in a read-only folder, the work goes on without it. `problem` says why, and a
    note in the log says so once per folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.problem: str | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            self._note_problem(error.strerror or str(error))

    def key(self, function: Callable[..., T], arguments: tuple[object, ...]) -> str:
        """Name a task by its function, its arguments and the version of this package."""
        import joblib

        name = f"{function.__module__}.{function.__qualname__}|{__version__}|{joblib.hash(arguments)}"
        return hashlib.sha256(name.encode()).hexdigest()[:40]

    def has(self, key: str) -> bool:
        """Return whether there is an entry, which may be damaged."""
        return self._path(key).exists()

    def load(self, key: str) -> tuple[bool, Any]:
        """Return (True, result), or (False, None) if there is no entry that can be read."""
        try:
            return True, decode_entry(self._path(key).read_bytes())
        except Exception:  # a damaged entry counts as missing, whatever the damage; the task runs again
            return False, None

    def save(self, key: str, result: object) -> None:
        """Keep a result; the entry takes its name only when it is complete."""
        content, path = encode_entry(result), self._path(key)
        try:
            path.parent.mkdir(exist_ok=True, mode=0o700)
            with open_for_writing(path, "wb", at_once=True) as file:
                file.write(content)
        except OSError as error:
            self._note_problem(error.strerror or str(error))
        except AssayError as error:
            self._note_problem(error.fact.removeprefix("cannot be written: ").rstrip("."))

    def _note_problem(self, reason: str) -> None:
        self.problem = f"Finished tasks cannot be kept in {self.folder}: {reason}. The work goes on without."
        if self.folder not in _NOTED:
            _NOTED.add(self.folder)
            logging.getLogger("assay").warning(self.problem)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.entry"
