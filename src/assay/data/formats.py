"""What a file is, by its name and by its first bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.compression import PACKED
from assay.data.encoding import every_other_is_nul

SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
}
_MAGIC = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",  # an IPC stream begins with its continuation mark
}
_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV",
    b"\x1f\x8b": "gzip data. Give its name the ending .gz",
    b"\x28\xb5\x2f\xfd": "zstd data. Give its name the ending .zst",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document. Save its tables as CSV",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"BZh": "bzip2 data. Unpack it first",
    b"\xfd7zXZ": "xz data. Unpack it first",
    b"7z\xbc\xaf": "a 7z archive. Unpack it first",
    b"SQLite format 3": "an SQLite database. Export a table as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word document. Save the sheet as CSV",
    b"\x93NUMPY": "a numpy array",
    b"\x80\x04\x95": "a Python pickle, which is never loaded. Save it as Parquet",
    b"\x80\x05\x95": "a Python pickle, which is never loaded. Save it as Parquet",
}


def unpacked_suffix(path: Path) -> str:
    """Return the ending that tells the format, without .gz or .zst.

    >>> unpacked_suffix(Path("reviews.tsv.gz"))
    '.tsv'
    """
    inner = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return inner.suffix.lower()


def is_readable(path: Path) -> bool:
    """Tell whether a file's name says that it holds data."""
    return unpacked_suffix(path) in SUFFIXES


def format_of(content: pa.Buffer, path: Path) -> str:
    """Return csv, tsv, json, parquet or arrow; raise for what is none of these."""
    named = SUFFIXES.get(unpacked_suffix(path))
    if named in ("parquet", "arrow"):
        return named
    head = content[:8192].to_pybytes()
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    _refuse_binary(head, path)
    if named:
        return named
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return "json"
    return "csv"


def _refuse_binary(head: bytes, path: Path) -> None:
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise AssayError(f"{path} is {what}.")
    if head[257:262] == b"ustar":
        raise AssayError(f"{path} is a tar archive. Unpack it first.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or every_other_is_nul(head):  # UTF-16: the encoding error says so
        return
    controls = sum(head.count(byte) for byte in range(32) if byte not in (9, 10, 12, 13, 27))
    share = controls / max(len(head), 1)
    if (share > 0.02 and not _is_utf8(head)) or (share > 0.3 and len(head) > 64):
        raise AssayError(f"{path} is a binary file. Readable are {', '.join(SUFFIXES)}, each also .gz or .zst.")


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut at the end
    except UnicodeDecodeError:
        return False
    return True
