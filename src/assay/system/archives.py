"""Unpack members of zip archives of unknown origin."""

from __future__ import annotations

import zipfile

from assay.base.errors import AssayError


def unpack_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member, and no more of it than it claims to have; `ZipFile.read` would unpack all of it.

    Python cannot stop other methods than deflate at a size.
    """
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        fact = f"{info.filename} is compressed by zip method {info.compress_type}, which is not read"
        raise AssayError(fact, place=archive.filename)
    with archive.open(info) as file:
        return file.read(info.file_size)
