"""Read JSON members of zip archives, deflated or compressed with zstd, up to a bound."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.system.archives import unpack_member
from assay.system.json import RepeatedKeys, parse_json
from assay.system.limits import max_bytes

MAX_MEMBER_BYTES = 2_000_000_000  # of one member when unpacked: archives are untrusted
# Python objects may take this many bytes for a byte of the archive. Transcripts that repeat themselves in every turn
# shrink to less than a hundredth, and JSON takes about ten times its size.
MAX_MEMORY_RATIO = 2000
MIN_MEMBER_MEMORY = 512 << 20
_ZSTD_METHOD = 93
_LOCAL_HEADER = 30  # bytes of a member's header before its name


def read_json_member(archive: zipfile.ZipFile, path: Path, name: str, repeated: RepeatedKeys | None = None) -> Any:
    """Read one JSON member of the archive at `path`; what it may take in memory grows with its compressed size."""
    info = archive.getinfo(name)
    if info.file_size > MAX_MEMBER_BYTES:
        raise AssayError(
            f"{name} unpacks to {info.file_size:,} bytes; at most {MAX_MEMBER_BYTES:,} are read", place=path.name
        )
    limit = min(max_bytes(), max(MIN_MEMBER_MEMORY, MAX_MEMORY_RATIO * info.compress_size))
    content = _unpack_zstd(path, info) if info.compress_type == _ZSTD_METHOD else unpack_member(archive, info)
    return parse_json(content, f"{path.name}, {name}", limit=limit, repeated=repeated)


def check_members(archive: zipfile.ZipFile, path: Path) -> None:
    """Raise for an archive whose members overlap, so that a few bytes would be unpacked many times."""
    if sum(info.compress_size for info in archive.infolist()) > path.stat().st_size:
        raise AssayError("the members of the archive overlap", place=path.name)


def _unpack_zstd(path: Path, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member of zip method 93, which Python's zipfile supports only from 3.14 on."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        name_length, extra_length = struct.unpack("<HH", file.read(_LOCAL_HEADER)[26:30])
        file.seek(info.header_offset + _LOCAL_HEADER + name_length + extra_length)
        packed = file.read(info.compress_size)
    reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    return reader.read(info.file_size)
