"""Files from the browser, streamed to disk under names of our own."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from assay.system.files import copy_file, open_for_writing
from assay.system.json import JsonObject
from assay.web.errors import BadRequestError, TooLargeError
from assay.web.store import Version

# What a file can be. "auto" is recognised after the upload.
KINDS = {
    "data": "data",
    "predictions": "predictions",
    "scores": "scores",
    "votes": "votes",
    "verdicts": "verdicts of judges",
    "responses": "responses of systems",
    "logs": "logs of a harness",
    "corpus": "training corpus",
}
MAX_BYTES = 2_000_000_000
MAX_FILES = 1000
MAX_NAME_LENGTH = 600


async def receive_upload(
    version: Version, kind: str, name: str, chunks: AsyncIterator[bytes], n_bytes: int, max_bytes: int = MAX_BYTES
) -> None:
    """Store an uploaded file, completely or not at all, without holding it in memory."""
    check_upload(version, kind, n_bytes, max_bytes)
    file = describe_file(version, kind, name, n_bytes)
    n_written = 0
    with open_for_writing(version.path(file), "wb") as out:
        async for chunk in chunks:
            n_written += len(chunk)
            await run_in_threadpool(out.write, chunk)
        if n_written != n_bytes:
            raise ConnectionError("The upload ended early.")
    await run_in_threadpool(version.add_file, file)


def copy_local_file(version: Version, kind: str, source: Path, name: str = "") -> None:
    """Copy a file of this machine into a version."""
    file = describe_file(version, kind, name or source.name, source.stat().st_size)
    copy_file(source, version.path(file))
    version.add_file(file)


def check_upload(version: Version, kind: str, n_bytes: int, max_bytes: int) -> None:
    """Refuse a file of an unknown kind, a file that is too large, and too many files."""
    if kind not in (*KINDS, "auto"):
        raise BadRequestError(f"No kind of file '{kind[:40]}'. Known: {', '.join(KINDS)}.")
    if n_bytes > max_bytes:
        fact = f"The file has {n_bytes:,} bytes; at most {max_bytes:,} are accepted."
        raise TooLargeError(fact, hint="Use assay audit for it.")
    if len(version.files()) >= MAX_FILES:
        raise BadRequestError(f"At most {MAX_FILES} files are accepted per version.")
    for each in ("scores", "votes", "responses"):
        if kind == each and version.files(each):
            raise BadRequestError(f"There is already a file of {KINDS[each]}.", hint="Remove it first.")


def describe_file(version: Version, kind: str, name: str, n_bytes: int) -> JsonObject:
    """Return the record of a file: its original name, and its name on disk."""
    stored = f"file-{len(version.files()) + 1}-{secrets.token_hex(3)}{find_suffix(name)}"
    return {"kind": kind, "name": name.strip()[:MAX_NAME_LENGTH] or "file", "file": stored, "bytes": n_bytes}


def find_suffix(name: str) -> str:
    """Return the suffix of a name if its format can be read, else nothing.

    >>> find_suffix("../../etc/My Reviews.TSV.gz"), find_suffix("run.sh"), find_suffix("notes.csv/..")
    ('.tsv.gz', '', '')
    """
    from assay.data.readers.compression import MAGIC_BYTES
    from assay.data.readers.formats import list_suffixes

    bare = name.lower()
    outer = next((suffix for suffix in MAGIC_BYTES if bare.endswith(suffix)), "")
    inner = next((suffix for suffix in (*list_suffixes(), ".eval") if bare.removesuffix(outer).endswith(suffix)), "")
    return inner + outer
