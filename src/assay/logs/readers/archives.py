"""Read JSON members of zip archives, deflated or compressed with zstd, up to a bound."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError

MAX_MEMBER_BYTES = 2_000_000_000  # of one member when unpacked: archives are untrusted
_ZSTD_METHOD = 93
_LOCAL_HEADER = 30  # bytes of a member's header before its name


def read_json_member(archive: zipfile.ZipFile, path: Path, name: str) -> Any:
    """Read one JSON member of the archive at `path`."""
    info = archive.getinfo(name)
    if info.file_size > MAX_MEMBER_BYTES:
        raise AssayError(
            f"{name} unpacks to {info.file_size:,} bytes; at most {MAX_MEMBER_BYTES:,} are read", place=path.name
        )
    content = _unpack_zstd(path, info) if info.compress_type == _ZSTD_METHOD else archive.read(info)
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise AssayError(f"{name} is not valid JSON: {error}", place=path.name) from error


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
