"""Results of finished tasks on disk, named by what produced them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay import __version__
from assay.base.errors import AssayError
from assay.tasks.storage import decode_entry, encode_entry


def default_cache() -> Path:
    """Return the folder for finished tasks: $ASSAY_CACHE, else the user's cache folder."""
    folder = os.environ.get("ASSAY_CACHE")
    if folder:
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "assay" / "tasks"


class TaskCache:
    """A folder of results. An entry is written completely or not at all, also when the process is killed.

    Entries are inert (see `storage`): reading one never runs code, and a damaged one counts as missing. Where an entry
    cannot be written, for example on a full disk, the result is not kept and `problem` says why.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.problem: str | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise AssayError(f"cannot keep finished tasks there: {error.strerror}.", place=self.folder) from error

    def key(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
        """Name a task by its function, its arguments and the version of this package."""
        import joblib

        name = f"{function.__module__}.{function.__qualname__}|{__version__}|{joblib.hash(arguments)}"
        return hashlib.sha256(name.encode()).hexdigest()[:40]

    def load(self, key: str) -> tuple[bool, Any]:
        """Return (True, result), or (False, None) where there is no entry that can be read."""
        try:
            return True, decode_entry(self._path(key).read_bytes())
        except Exception:  # a damaged entry counts as missing, whatever the damage; the task runs again
            return False, None

    def save(self, key: str, result: Any) -> None:
        """Keep a result; the entry takes its name only when it is complete."""
        content = encode_entry(result)
        try:
            self._write(self._path(key), content)
        except OSError as error:
            self.problem = f"Finished tasks cannot be kept in {self.folder}: {error.strerror}."

    def _write(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with open(handle, "wb") as file:  # noqa: PTH123, a descriptor has no path
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.entry"
