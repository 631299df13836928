"""The formats of files, and how the format of one is recognised: by its name, then by its first bytes."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from assay.base.errors import AssayError
from assay.base.registry import Registry
from assay.data.columns.table import RawTable
from assay.data.readers.compression import MAGIC_BYTES as COMPRESSED_MAGIC
from assay.data.readers.encoding import looks_like_utf16


class Reader(Protocol):
    """A function that turns the content of a file (UTF-8 if it is text) into a table."""

    def __call__(self, content: pa.Buffer, path: Path, *, quoting: str = "auto") -> RawTable:
        """Read the content of the file at `path`, which serves for messages only."""
        ...


@dataclass(frozen=True)
class Format:
    """A file format: its reader, the endings of its file names, and the bytes its files begin with."""

    name: str
    read: Reader
    suffixes: tuple[str, ...]
    is_text: bool
    magic: tuple[bytes, ...] = ()


FORMATS: Registry[Format] = Registry("file format")

_DOCUMENTS = (".md", ".markdown", ".tex")

_FOREIGN = {
    b"PK\x03\x04": ("a zip archive or an Excel workbook", "Unpack it, or save the sheet as CSV."),
    b"\x1f\x8b": ("gzip data", "Give its name the ending .gz."),
    b"\x28\xb5\x2f\xfd": ("zstd data", "Give its name the ending .zst."),
    b"\x89PNG": ("a PNG image", ""),
    b"\xff\xd8\xff": ("a JPEG image", ""),
    b"GIF8": ("a GIF image", ""),
    b"%PDF": ("a PDF document", "Save its tables as CSV."),
    b"\x7fELF": ("a program", ""),
    b"MZ\x90": ("a program", ""),
    b"BZh": ("bzip2 data", "Unpack it first."),
    b"\xfd7zXZ": ("xz data", "Unpack it first."),
    b"7z\xbc\xaf": ("a 7z archive", "Unpack it first."),
    b"SQLite format 3": ("an SQLite database", "Export a table as CSV."),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word document", "Save the sheet as CSV."),
    b"\x93NUMPY": ("a numpy array", ""),
    b"\x80\x04\x95": ("a Python pickle, which is never loaded", "Save the data as Parquet."),
    b"\x80\x05\x95": ("a Python pickle, which is never loaded", "Save the data as Parquet."),
}


def register_format(
    name: str, *, suffixes: tuple[str, ...], is_text: bool = False, magic: tuple[bytes, ...] = ()
) -> Callable[[Reader], Reader]:
    """Return a decorator that registers the reader of a file format."""

    def register(reader: Reader) -> Reader:
        FORMATS.put(name, Format(name, reader, suffixes, is_text, magic))
        return reader

    return register


def list_suffixes() -> dict[str, str]:
    """Return the endings of file names that are read, text formats first, each with the name of its format."""
    formats = sorted(FORMATS.values(), key=lambda file_format: not file_format.is_text)
    return {suffix: file_format.name for file_format in formats for suffix in file_format.suffixes}


def get_format_suffix(path: Path) -> str:
    """Return the ending that tells the format, without .gz or .zst.

    >>> get_format_suffix(Path("reviews.tsv.gz"))
    '.tsv'
    """
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSED_MAGIC else path
    return inner.suffix.lower()


def has_readable_name(path: Path) -> bool:
    """Return whether the name of a file says that it holds data."""
    return get_format_suffix(path) in list_suffixes()


def is_data_file(path: Path) -> bool:
    """Return whether a file that nobody named holds data by its name: documents are only read if they are named."""
    return has_readable_name(path) and get_format_suffix(path) not in _DOCUMENTS


def detect_format(content: pa.Buffer, path: Path) -> Format:
    """Return the format of a file; raise if it is none that can be read."""
    name = list_suffixes().get(get_format_suffix(path))
    if name is not None and not FORMATS[name].is_text:
        return FORMATS[name]
    head = content[:8192].to_pybytes()
    for file_format in FORMATS.values():
        if head.startswith(file_format.magic):
            return file_format
    _check_is_text(head, path)
    if name is not None:
        return FORMATS[name]
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    return FORMATS["json" if is_json else "csv"]


def describe_readable() -> str:
    """List the endings of file names that are read."""
    return f"Readable are {', '.join(list_suffixes())}, each also .gz or .zst."


def _check_is_text(head: bytes, path: Path) -> None:
    for magic, (content, hint) in _FOREIGN.items():
        if head.startswith(magic):
            raise AssayError(f"this is {content}", place=path, hint=hint)
    if head[257:262] == b"ustar":
        raise AssayError("this is a tar archive", place=path, hint="Unpack it first.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or looks_like_utf16(head):  # the encoding error is clearer
        return
    n_controls = sum(head.count(byte) for byte in range(32) if byte not in (9, 10, 12, 13, 27))
    share = n_controls / max(len(head), 1)
    if (share > 0.02 and not _is_utf8(head)) or (share > 0.3 and len(head) > 64):
        raise AssayError("this is a binary file", place=path, hint=describe_readable())


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut at the end
    except UnicodeDecodeError:
        return False
    return True
