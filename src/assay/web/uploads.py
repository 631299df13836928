"""Files from the browser, streamed to disk under names of our own."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import IO, Any, Protocol

from assay.web.answers import RefusedError, TooLargeError
from assay.web.shelf import Entry

KINDS = ("data", "predictions", "scores")
MOST_BYTES = 2_000_000_000
MOST_FILES = 200
MOST_NAME = 200
_PIECE = 1 << 20


class Stream(Protocol):
    """Bytes to come."""

    def read(self, n: int, /) -> bytes:
        """Return at most so many."""


def receive(entry: Entry, kind: str, name: str, body: Stream, n_bytes: int, most: int = MOST_BYTES) -> None:
    """Keep a file that comes in; it is there whole or not at all, and never in memory."""
    check_upload(entry, kind, n_bytes, most)
    file = described(entry, kind, name, n_bytes)
    path = entry.path(file)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as out:
            copied(body, out, n_bytes)
        part.replace(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, (ConnectionError, TimeoutError)):
            raise RefusedError(f"The file cannot be kept in {entry.folder.parent}: {error.strerror}.") from error
        raise
    entry.add(file)


def keep(entry: Entry, kind: str, source: Path) -> None:
    """Copy a file of this machine."""
    file = described(entry, kind, source.name, source.stat().st_size)
    shutil.copyfile(source, entry.path(file))
    entry.add(file)


def check_upload(entry: Entry, kind: str, n_bytes: int, most: int) -> None:
    """Refuse what is of no kind, too large, or too much."""
    if kind not in KINDS:
        raise RefusedError(f"No kind of file '{kind[:40]}'. Known: {', '.join(KINDS)}.")
    if n_bytes > most:
        raise TooLargeError(f"The file has {n_bytes:,} bytes; at most {most:,} are taken. Use assay audit for it.")
    if len(entry.files()) >= MOST_FILES:
        raise RefusedError(f"At most {MOST_FILES} files are taken for one audit.")
    if kind == "scores" and entry.files("scores"):
        raise RefusedError("There is a table of scores already. Remove it first.")


def described(entry: Entry, kind: str, name: str, n_bytes: int) -> dict[str, Any]:
    """Return what is noted of a file: the name it came with, and the one it has on disk."""
    stored = f"{kind}-{len(entry.files()) + 1}-{secrets.token_hex(3)}{ending(name)}"
    return {"kind": kind, "name": name.strip()[:MOST_NAME] or kind, "file": stored, "bytes": n_bytes}


def ending(name: str) -> str:
    """Return the ending of a name where it tells a format that can be read, else nothing.

    >>> ending("../../etc/My Reviews.TSV.gz"), ending("run.sh"), ending("notes.csv/..")
    ('.tsv.gz', '', '')
    """
    from assay.data.readers.compression import MAGIC_BYTES
    from assay.data.readers.formats import list_suffixes

    bare = name.lower()
    packed = next((one for one in MAGIC_BYTES if bare.endswith(one)), "")
    inner = next((one for one in list_suffixes() if bare.removesuffix(packed).endswith(one)), "")
    return inner + packed


def copied(source: Stream, target: IO[bytes], n_bytes: int) -> None:
    """Copy so many bytes in pieces."""
    left = n_bytes
    while left:
        piece = source.read(min(left, _PIECE))
        if not piece:
            raise ConnectionError("The upload ended early.")
        target.write(piece)
        left -= len(piece)
