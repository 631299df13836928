"""Files from the browser, streamed to disk under names of our own."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path
from typing import IO, Any, Protocol

from assay.web.responses import BadRequestError, TooLargeError
from assay.web.store import Entry

KINDS = ("data", "predictions", "scores")
MAX_BYTES = 2_000_000_000
MAX_FILES = 200
MAX_NAME_LENGTH = 200
_CHUNK_BYTES = 1 << 20


class Stream(Protocol):
    """A stream of bytes."""

    def read(self, n: int, /) -> bytes:
        """Return at most n bytes."""


def receive_upload(entry: Entry, kind: str, name: str, body: Stream, n_bytes: int, max_bytes: int = MAX_BYTES) -> None:
    """Store an uploaded file, completely or not at all, without holding it in memory."""
    check_upload(entry, kind, n_bytes, max_bytes)
    file = describe_file(entry, kind, name, n_bytes)
    path = entry.path(file)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as out:
            copy_bytes(body, out, n_bytes)
        part.replace(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, (ConnectionError, TimeoutError)):
            raise BadRequestError(f"The file cannot be stored in {entry.folder.parent}: {error.strerror}.") from error
        raise
    entry.add_file(file)


def copy_local_file(entry: Entry, kind: str, source: Path) -> None:
    """Copy a file of this machine into an audit."""
    file = describe_file(entry, kind, source.name, source.stat().st_size)
    shutil.copyfile(source, entry.path(file))
    entry.add_file(file)


def check_upload(entry: Entry, kind: str, n_bytes: int, max_bytes: int) -> None:
    """Refuse a file of an unknown kind, a file that is too large, and too many files."""
    if kind not in KINDS:
        raise BadRequestError(f"No kind of file '{kind[:40]}'. Known: {', '.join(KINDS)}.")
    if n_bytes > max_bytes:
        fact = f"The file has {n_bytes:,} bytes; at most {max_bytes:,} are accepted."
        raise TooLargeError(fact, hint="Use assay audit for it.")
    if len(entry.files()) >= MAX_FILES:
        raise BadRequestError(f"At most {MAX_FILES} files are accepted per audit.")
    if kind == "scores" and entry.files("scores"):
        raise BadRequestError("There is already a table of scores.", hint="Remove it first.")


def describe_file(entry: Entry, kind: str, name: str, n_bytes: int) -> dict[str, Any]:
    """Return the record of a file: its original name, and its name on disk."""
    stored = f"{kind}-{len(entry.files()) + 1}-{secrets.token_hex(3)}{find_suffix(name)}"
    return {"kind": kind, "name": name.strip()[:MAX_NAME_LENGTH] or kind, "file": stored, "bytes": n_bytes}


def find_suffix(name: str) -> str:
    """Return the suffix of a name if it is that of a readable format, else nothing.

    >>> find_suffix("../../etc/My Reviews.TSV.gz"), find_suffix("run.sh"), find_suffix("notes.csv/..")
    ('.tsv.gz', '', '')
    """
    from assay.data.readers.compression import MAGIC_BYTES
    from assay.data.readers.formats import list_suffixes

    bare = name.lower()
    outer = next((suffix for suffix in MAGIC_BYTES if bare.endswith(suffix)), "")
    inner = next((suffix for suffix in list_suffixes() if bare.removesuffix(outer).endswith(suffix)), "")
    return inner + outer


def copy_bytes(source: Stream, target: IO[bytes], n_bytes: int) -> None:
    """Copy n bytes in chunks."""
    n_left = n_bytes
    while n_left:
        chunk = source.read(min(n_left, _CHUNK_BYTES))
        if not chunk:
            raise ConnectionError("The upload ended early.")
        target.write(chunk)
        n_left -= len(chunk)
