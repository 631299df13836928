"""Write files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.errors import AssayError


@contextmanager
def written(path: str | Path) -> Iterator[IO[str]]:
    """Open a text file for writing that takes its name only when the block ends well.

    Interrupted or failed, it leaves whatever stood at `path` before.
    """
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise AssayError(f"{target}: cannot be written: {error.strerror}.") from error
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
