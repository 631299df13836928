"""The bytes of a file, unpacked where it is packed, and never more of them than memory can hold."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.cells import EmptyError

PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
# Input is fed in small pieces, so that a piece of a bomb cannot unpack to more than about 128 MB.
_PIECE = {".gz": 1 << 16, ".zst": 1 << 12}


def contents(path: Path) -> pa.Buffer:
    """Return the bytes of a file: mapped where it is plain, unpacked where its name ends in .gz or .zst."""
    refuse_irregular(path)
    try:
        if path.stat().st_size == 0:
            raise EmptyError(f"{path} is empty.")
        raw = pa.memory_map(str(path)).read_buffer()
    except OSError as error:
        raise AssayError(f"{path} cannot be read: {error.strerror or error}.") from error
    suffix = path.suffix.lower()
    return _unpacked(raw, suffix, path) if suffix in PACKED else raw


def refuse_irregular(path: Path) -> None:
    """Raise for what is there but is no file: a pipe, a socket, a device; and for what may not be read."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise AssayError(f"{path} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or device"
        raise AssayError(f"{path} is {kind}, not a file. Save the data to a file first.")
    if not os.access(path, os.R_OK):
        raise AssayError(f"{path} cannot be read: Permission denied.")


def byte_limit() -> int:
    """Return how many bytes a file may unpack to: ASSAY_MAX_BYTES, or half of the machine's memory."""
    given = os.environ.get("ASSAY_MAX_BYTES", "")
    if given:
        try:
            return int(float(given))
        except ValueError:
            raise AssayError(f"ASSAY_MAX_BYTES is '{given}', not a number of bytes.") from None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (ValueError, OSError, AttributeError):  # a system without sysconf
        return 8 << 30


def refuse_too_large(n_bytes: int, path: Path) -> None:
    """Raise for data that unpacks to more than `byte_limit`."""
    limit = byte_limit()
    if n_bytes > limit:
        raise AssayError(
            f"{path} unpacks to more than {limit:,} bytes. Set ASSAY_MAX_BYTES to a larger number to read it."
        )


def _unpacked(raw: pa.Buffer, suffix: str, path: Path) -> pa.Buffer:
    kind = {".gz": "gzip", ".zst": "zstd"}[suffix]
    if bytes(raw[: len(PACKED[suffix])].to_pybytes()) != PACKED[suffix]:
        raise AssayError(f"{path} is not {kind} data, though its name says so. Is it unpacked already? Rename it.")
    sink, size = pa.BufferOutputStream(), 0
    try:
        for piece in _pieces(memoryview(raw), suffix):
            size += len(piece)
            refuse_too_large(size, path)
            sink.write(piece)
    except EOFError:
        raise AssayError(
            f"{path} is cut off: its {kind} data stops after {size:,} unpacked bytes. Copy it again."
        ) from None
    except Exception as error:
        if isinstance(error, AssayError):
            raise
        raise AssayError(f"{path} is damaged: its {kind} data cannot be unpacked ({error}).") from error
    if size == 0:
        raise EmptyError(f"{path} is empty.")
    return sink.getvalue()


def _unpacker(suffix: str) -> Any:
    if suffix == ".gz":
        return zlib.decompressobj(wbits=31)
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()


def _pieces(raw: memoryview, suffix: str) -> Iterator[bytes]:
    """Yield unpacked pieces of all members one after the other; EOFError where the last one is not whole."""
    unpacker, position, step = _unpacker(suffix), 0, _PIECE[suffix]
    while position < len(raw):
        if unpacker.eof:
            if not any(raw[position : position + step]):  # zero padding, as tapes and some tools leave it
                position += step
                continue
            unpacker = _unpacker(suffix)
        piece = raw[position : position + step]
        yield unpacker.decompress(piece)
        position += len(piece) - len(unpacker.unused_data)
    if not unpacker.eof:
        raise EOFError
