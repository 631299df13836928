"""The one way to write files: completely or not at all, alone or several together.

A file is written next to its place under a temporary name, which holds the process, and then renamed. What a killed
process leaves is removed when another one next writes into the same folder.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, Literal, overload

from assay.base.errors import AssayError

MAX_NAME = 40  # characters of the file's name in its temporary name
FOREIGN_SECONDS = 86_400  # after which temporary files of another machine count as left behind
_TEMPORARY = re.compile(r"(?:\..*\.)?assay-([0-9a-f]{8})-(\d{1,9})-[0-9a-f]{8}(?:\.part)?")
_ERROR_NUMBER = re.compile(r" \(os error \d+\)$")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@dataclass
class _FileSet:
    """Files that are complete and wait for the others, and folders that were created for them."""

    files: list[tuple[Path, Path]] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


_OPEN_SET: ContextVar[_FileSet | None] = ContextVar("files written together", default=None)
_CLEANED: set[Path] = set()


@overload
def open_for_writing(
    path: str | Path, mode: Literal["w"] = "w", *, at_once: bool = False
) -> AbstractContextManager[IO[str]]: ...
@overload
def open_for_writing(
    path: str | Path, mode: Literal["wb"], *, at_once: bool = False
) -> AbstractContextManager[IO[bytes]]: ...
@contextmanager
def open_for_writing(path: str | Path, mode: str = "w", *, at_once: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing that takes its name only when the block succeeds.

    An interrupted or failed write leaves what was at `path` before. A link stays a link, and a device a device.
    """
    encoding, newline = (None, None) if mode == "wb" else ("utf-8", "\n")
    place = Path(path)
    with ExitStack() as stack:
        if place.exists() and not place.is_file():  # /dev/null must not become a file, nor a folder vanish
            stack.enter_context(_name_file(path))
        else:
            place = stack.enter_context(open_temporary(path, at_once=at_once))
        with place.open(mode, encoding=encoding, newline=newline) as file:
            yield file


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a binary file completely or not at all."""
    with open_for_writing(path, "wb") as file:
        file.write(content)


def copy_file(source: str | Path, path: str | Path) -> None:
    """Copy a file completely or not at all."""
    with open_temporary(path) as temporary:
        shutil.copyfile(source, temporary)


@contextmanager
def open_temporary(path: str | Path, *, at_once: bool = False) -> Iterator[Path]:
    """Give the path of an empty file that takes the name `path` when the block ends without an error.

    Within `write_together` it takes the name with the others, unless it is wanted `at_once`.
    """
    target = Path(os.path.realpath(path))
    temporary = target.parent / f".{target.name[:MAX_NAME]}.{_make_tag()}.part"
    with _name_file(path, temporary):
        _remove_leftovers_once(target.parent)
        os.close(os.open(temporary, _FLAGS, 0o666))
        try:
            yield temporary
            open_set = None if at_once else _OPEN_SET.get()
            if open_set is None:
                temporary.replace(target)
            else:
                open_set.files.append((temporary, target))
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def write_together() -> Iterator[None]:
    """Let all files that are written in the block take their names at its end, or none of them after an error.

    >>> with tempfile.TemporaryDirectory() as folder, write_together():
    ...     write_bytes(Path(folder) / "a", b"1")
    ...     (Path(folder) / "a").exists()
    False
    """
    if _OPEN_SET.get() is not None:  # part of a larger set
        yield
        return
    files = _FileSet()
    token = _OPEN_SET.set(files)
    try:
        yield
        for temporary, target in files.files:
            with _name_file(target, temporary):
                temporary.replace(target)
    except BaseException:
        for temporary, _ in files.files:
            temporary.unlink(missing_ok=True)
        for folder in reversed(files.folders):
            _remove_if_empty(folder)
        raise
    finally:
        _OPEN_SET.reset(token)


def create_folder(path: str | Path) -> Path:
    """Create a folder with its parents; `write_together` removes it again if its files cannot be written."""
    folder = Path(path)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AssayError(f"cannot be created: {error.strerror}.", place=folder) from error
    files = _OPEN_SET.get()
    if files is not None:
        files.folders += reversed(missing)
    return folder


@contextmanager
def make_temporary_folder(parent: str | Path | None = None) -> Iterator[Path]:
    """Create a folder for temporary files, and remove it afterwards; without a parent in the system's place for them."""
    try:
        home = Path(tempfile.gettempdir() if parent is None else parent)
        remove_leftovers(home)
        folder = home / _make_tag()
        folder.mkdir(mode=0o700)
    except OSError as error:
        fact = f"A temporary folder cannot be created: {error.strerror or error}."
        raise AssayError(fact, hint="Set TMPDIR to a folder with free space.") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def delete_folder(path: str | Path) -> None:
    """Delete a folder; it loses its name at once, so that nobody sees one that is half deleted."""
    folder = Path(path)
    try:
        folder = folder.rename(folder.parent / _make_tag())
    except OSError:
        if not folder.exists():
            return
    shutil.rmtree(folder, ignore_errors=True)


def remove_leftovers(folder: str | Path, *, below: bool = False) -> int:
    """Remove the temporary files and folders of processes that have ended; return how many.

    `below` looks into all subfolders too.
    """
    n_removed, folders = 0, [Path(folder)]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        for entry in entries:
            if _is_leftover(entry):
                _remove(entry)
                n_removed += 1
            elif below and entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry.path))
    return n_removed


def _remove_leftovers_once(folder: Path) -> None:
    if folder not in _CLEANED:
        _CLEANED.add(folder)
        remove_leftovers(folder)


def _is_leftover(entry: os.DirEntry[str]) -> bool:
    """Return whether this is a temporary file or folder of ours whose process is gone."""
    match = _TEMPORARY.fullmatch(entry.name)
    if match is None:
        return False
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return False
    if match[1] != _identify_machine() or os.name != "posix":
        return time.time() - status.st_mtime > FOREIGN_SECONDS
    return not _is_running(int(match[2]))


def _remove(entry: os.DirEntry[str]) -> None:
    try:
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)  # noqa: PTH108, an entry of a folder
    except OSError:
        return  # another process was faster, or the folder is read-only


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _make_tag() -> str:
    """Return a new name that tells which process of which machine it belongs to."""
    return f"assay-{_identify_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


@cache
def _identify_machine() -> str:
    return hashlib.blake2s(platform.node().encode(), digest_size=4).hexdigest()


@contextmanager
def _name_file(path: str | Path, temporary: Path | None = None) -> Iterator[None]:
    """Turn a failed write into an error that names the file."""
    try:
        yield
    except AssayError:
        raise
    except OSError as error:
        own = (None, str(path), os.path.realpath(path), str(temporary))
        if isinstance(error, (ConnectionError, TimeoutError)) or error.filename not in own:
            raise
        raise make_write_error(path, error) from error


def make_write_error(path: str | Path, error: Exception) -> AssayError:
    """Return the error for a file that cannot be written; the libraries of other languages have their own kinds.

    >>> print(make_write_error("a.txt", OSError(None, "No space left on device (os error 28)")))
    a.txt: cannot be written: No space left on device. Free space on its disk.
    """
    reason = _ERROR_NUMBER.sub("", getattr(error, "strerror", None) or str(error)).rstrip(".")
    is_full = getattr(error, "errno", None) in _FULL or "No space left" in reason
    return AssayError(f"cannot be written: {reason}.", place=path, hint="Free space on its disk." if is_full else "")
