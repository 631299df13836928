"""Write files completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.base.errors import AssayError


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
