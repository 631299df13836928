"""Write files completely or not at all, and follow no link out of a folder."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from assay.base.errors import AssayError

LINKS_VARIABLE = "ASSAY_FOLLOW_LINKS"


def check_links(paths: Iterable[Path], folder: Path) -> None:
    """Raise for a path of a folder that a symbolic link leads out of it, as in an archive that was made to do so.

    The snapshots in the cache of the Hugging Face hub consist of links to blobs next to them.
    """
    if os.environ.get(LINKS_VARIABLE):
        return
    root = Path(os.path.realpath(folder))
    if "snapshots" in root.parts:
        place = len(root.parts) - root.parts[::-1].index("snapshots") - 1
        root = Path(*root.parts[:place]) if place > 1 and Path(*root.parts[:place], "blobs").is_dir() else root
    for path in paths:
        target = Path(os.path.realpath(path))
        if target != root and root not in target.parents:
            raise AssayError(
                "this link leads out of the folder",
                place=path,
                hint=f"Name its target instead, or set {LINKS_VARIABLE}=1 if you trust it.",
            )


def check_relative(name: str, place: Path) -> str:
    """Return the name of a file or folder that a file at `place` gives; raise if it leads out of the folder of that file."""
    plain = PurePosixPath(name.replace("\\", "/"))
    if plain.is_absolute() or ".." in plain.parts or PureWindowsPath(name).drive or "\0" in name:
        raise AssayError(f"it names a file outside its folder ({name})", place=place)
    return name


def get_fixed_folder(pattern: Path) -> Path:
    """Return the folder that a pattern names before its first wildcard.

    >>> get_fixed_folder(Path("data/de/*/*.csv")).as_posix()
    'data/de'
    """
    return next(parent for parent in pattern.parents if not glob.has_magic(str(parent)))


@contextmanager
def open_for_writing(path: str | Path) -> Iterator[IO[str]]:
    """Open a text file for writing that takes its name only when the block succeeds.

    An interrupted or failed write leaves what was at `path` before. A link stays a link, and a device a device.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # /dev/null must not become a file, nor a folder vanish
        with _open_device(path) as file:
            yield file
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise _cannot_write(path, error) from error
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123, a descriptor has no path
            yield file
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)  # mkstemp makes files private
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _open_device(path: str | Path) -> IO[str]:
    try:
        return Path(path).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: str | Path, error: OSError) -> AssayError:
    return AssayError(f"cannot be written: {error.strerror}.", place=path)


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a binary file completely or not at all."""
    target = Path(os.path.realpath(path))
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        try:
            with open(handle, "wb") as file:  # noqa: PTH123, a descriptor has no path
                file.write(content)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _cannot_write(path, error) from error
