"""Results of finished tasks on disk, named by what made them.

Entries are joblib files that only this user's own runs write, in a folder only this user can enter;
a file of another owner is never loaded. Models and data of others never pass through here.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay import __version__
from assay.errors import AssayError


def default_cache() -> Path:
    """Return the folder for finished tasks: $ASSAY_CACHE, else the user's cache folder."""
    given = os.environ.get("ASSAY_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "assay" / "tasks"


class TaskCache:
    """A folder of results. An entry appears whole or not at all, also when the process is killed."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise AssayError(f"{self.folder}: cannot keep finished tasks there: {error.strerror}.") from error

    def key(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
        """Name a task by its function, its arguments and the version of this package."""
        import joblib

        name = f"{function.__module__}.{function.__qualname__}|{__version__}|{joblib.hash(arguments)}"
        return hashlib.sha256(name.encode()).hexdigest()[:40]

    def load(self, key: str) -> tuple[bool, Any]:
        """Return (True, result), or (False, None) where there is none that can be read."""
        import joblib

        path = self._path(key)
        try:
            if path.stat().st_uid != os.getuid():
                return False, None
            return True, joblib.load(path)
        except Exception:  # a damaged entry is a missing one, whatever the damage; the task runs again
            return False, None

    def save(self, key: str, result: Any) -> None:
        """Keep a result; the entry takes its name only when it is complete."""
        import joblib

        path = self._path(key)
        path.parent.mkdir(exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with open(handle, "wb") as file:  # noqa: PTH123, a descriptor has no path
                joblib.dump(result, file)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.joblib"
