"""The bytes of a file, decompressed if it is compressed, and never more of them than memory can hold."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.columns.table import EmptyTableError
from assay.system.limits import check_ratio, check_size, check_unpacked_size, max_bytes

MAGIC_BYTES = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
_NAMES = {".gz": "gzip", ".zst": "zstd"}
_INPUT_BYTES = 1 << 16
_OUTPUT_BYTES = 1 << 20
# Four bytes of zstd data (a run of equal bytes) can stand for a block of 128 KB.
_MAX_ZSTD_RATIO = 1 << 15
_MIN_ZSTD_INPUT = 16
_MAX_ZSTD_WINDOW = 1 << 31
_MAX_ZSTD_HEADER = 18
_BUFFER_BYTES = 1 << 20


def read_content(path: Path, max_length: int | None = None) -> pa.Buffer:
    """Return the bytes of a file: memory-mapped, or decompressed if its name ends in .gz or .zst.

    With `max_length`, decompression stops when there are so many bytes.
    """
    check_regular_file(path)
    try:
        if path.stat().st_size == 0:
            raise EmptyTableError("the file is empty", place=path)
        raw = pa.memory_map(str(path)).read_buffer()
    except OSError as error:
        raise AssayError(f"the file cannot be read: {error.strerror or error}", place=path) from error
    suffix = path.suffix.lower()
    return _decompress(raw, suffix, path, max_length) if suffix in MAGIC_BYTES else raw


def open_stream(path: Path) -> io.BufferedReader:
    """Open a file to be read in pieces: as it is, or decompressed if its name ends in .gz or .zst.

    Damage is an error, and so is content that unpacks to far more than text ever does.
    """
    check_regular_file(path)
    suffix = path.suffix.lower()
    return io.BufferedReader(_UnpackedFile(path, suffix), _BUFFER_BYTES) if suffix in MAGIC_BYTES else path.open("rb")


def read_lines(path: Path, max_length: int) -> Iterator[bytes]:
    """Yield the lines of a file with their ends; raise for a line of more than `max_length` bytes."""
    with open_stream(path) as stream:
        while line := stream.readline(max_length + 1):
            if len(line) > max_length:
                raise AssayError(f"a line has more than {max_length:,} bytes", place=path)
            yield line


class _UnpackedFile(io.RawIOBase):
    """The content of a compressed file, as a stream."""

    def __init__(self, path: Path, suffix: str) -> None:
        self._path, self._name, self._n_bytes = path, _NAMES[suffix], 0
        self._stream = _OPENERS[suffix](path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        import zstandard

        try:
            n = self._stream.readinto1(buffer)
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            fact = f"the file is damaged: its {self._name} data cannot be decompressed ({error})"
            raise AssayError(fact, place=self._path) from error
        self._n_bytes += n
        check_ratio(self._n_bytes, self._path.stat().st_size, self._path)
        return n

    def close(self) -> None:
        self._stream.close()
        super().close()


def _open_zstd(path: Path) -> Any:
    import zstandard

    decoder = zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW)
    return decoder.stream_reader(path.open("rb"), read_across_frames=True, closefd=True)


_OPENERS: dict[str, Callable[[Path], Any]] = {".gz": gzip.open, ".zst": _open_zstd}


def check_regular_file(path: Path) -> None:
    """Raise for a path that is not a regular file (a pipe, a socket, a device) or may not be read."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise AssayError(f"the file cannot be read: {error.strerror}", place=path) from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or device"
        raise AssayError(f"this is {kind}, not a file", place=path, hint="Save the data to a file first.")
    if not os.access(path, os.R_OK):
        raise AssayError("the file cannot be read: Permission denied", place=path)


def _decompress(raw: pa.Buffer, suffix: str, path: Path, max_length: int | None) -> pa.Buffer:
    name = _NAMES[suffix]
    if raw[: len(MAGIC_BYTES[suffix])].to_pybytes() != MAGIC_BYTES[suffix]:
        hint = "Is it decompressed already? Rename it."
        raise AssayError(f"the content is not {name} data, though the file name says so", place=path, hint=hint)
    content = bytearray()  # grows in place, where an output stream would copy itself to twice the size
    pieces = _gzip_pieces if suffix == ".gz" else _zstd_pieces
    try:
        for piece in pieces(memoryview(raw), content, path):
            check_unpacked_size(len(content) + len(piece), len(raw), path)
            content += piece
            if max_length is not None and len(content) >= max_length:
                break
    except EOFError:
        fact = f"the file is cut off: its {name} data stops after {len(content):,} decompressed bytes"
        raise AssayError(fact, place=path, hint="Copy it again.") from None
    except (AssayError, MemoryError):
        raise
    except Exception as error:
        raise AssayError(
            f"the file is damaged: its {name} data cannot be decompressed ({error})", place=path
        ) from error
    if not content:
        raise EmptyTableError("the file is empty", place=path)
    return pa.py_buffer(content)


def _gzip_pieces(raw: memoryview, _content: bytearray, _path: Path) -> Iterator[bytes]:
    """Yield pieces of at most 1 MB of all members; raise EOFError if the last one is incomplete."""
    decoder, position = zlib.decompressobj(wbits=31), 0
    while position < len(raw):
        if decoder.eof:
            if not any(raw[position : position + _INPUT_BYTES]):  # zero padding, as tapes and some tools write it
                position += _INPUT_BYTES
                continue
            decoder = zlib.decompressobj(wbits=31)
        block = raw[position : position + _INPUT_BYTES]
        position += len(block)
        yield decoder.decompress(block, _OUTPUT_BYTES)
        while decoder.unconsumed_tail and not decoder.eof:  # at the end of a member it is the next one
            yield decoder.decompress(decoder.unconsumed_tail, _OUTPUT_BYTES)
        position -= len(decoder.unused_data)
    while not decoder.eof and (rest := decoder.decompress(b"", _OUTPUT_BYTES)):
        yield rest
    if not decoder.eof:
        raise EOFError


def _zstd_pieces(raw: memoryview, content: bytearray, path: Path) -> Iterator[bytes]:
    """Yield pieces of all frames, from so little input at a time that none exceeds what is left of the limit."""
    limit, position, decoder, window = max_bytes(), 0, None, 0
    while position < len(raw):
        if decoder is None or decoder.eof:
            if decoder is not None and not any(raw[position : position + _INPUT_BYTES]):
                position += _INPUT_BYTES
                continue
            decoder, window = _open_zstd_frame(raw[position:], path)
        left = limit - len(content) - min(window, len(content))
        # A piece is held several times: as the decoder's blocks, joined, and while it is appended.
        n_bytes = min(_INPUT_BYTES, max(_MIN_ZSTD_INPUT, left // (8 * _MAX_ZSTD_RATIO)))
        block = raw[position : position + n_bytes]
        yield decoder.decompress(block)
        position += len(block) - len(decoder.unused_data)
    if decoder is None or not decoder.eof:
        raise EOFError


def _open_zstd_frame(raw: memoryview, path: Path) -> tuple[Any, int]:
    """Return a decoder for the frame that begins here, and the size of its window, which counts as memory too."""
    import zstandard

    window = 0
    if bytes(raw[:4]) == MAGIC_BYTES[".zst"]:
        if len(raw) < _MAX_ZSTD_HEADER:
            raw = memoryview(bytes(raw) + bytes(_MAX_ZSTD_HEADER))
        frame = zstandard.get_frame_parameters(bytes(raw[:_MAX_ZSTD_HEADER]))
        window = frame.window_size
        check_size(window, path)
        if frame.content_size not in (0, zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR):
            check_size(frame.content_size, path)
    return zstandard.ZstdDecompressor(max_window_size=_MAX_ZSTD_WINDOW).decompressobj(), window
