"""The sizes that the messages of an Arrow IPC file declare for their compressed buffers, read without decompression.

Layout: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pyarrow as pa

_FOOTER_TAIL = 10  # the length of the footer, and "ARROW1"
_BLOCK_BYTES = 24
_BUFFER_BYTES = 16
# Numbers of fields in the tables of Arrow's flatbuffers schema.
_MESSAGE_HEADER_TYPE, _MESSAGE_HEADER = 1, 2
_FOOTER_DICTIONARIES, _FOOTER_BATCHES = 2, 3
_BATCH_BUFFERS, _BATCH_COMPRESSION = 2, 3
_DICTIONARY_DATA = 1
_IS_DICTIONARY, _IS_BATCH = 2, 3


def measure_messages(content: pa.Buffer, *, is_file: bool) -> int:
    """Return how many bytes the compressed buffers of an IPC file or stream decompress to."""
    messages = _iterate_file(content) if is_file else _iterate_stream(content)
    size, n_left = 0, len(content)
    for metadata, body in messages:
        n_left -= len(metadata) + len(body)
        if n_left < 0:
            raise ValueError("its messages overlap")
        size += _measure_message(metadata, body)
    return size


def _iterate_stream(content: pa.Buffer) -> Iterator[tuple[memoryview, memoryview]]:
    for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(content)):
        body = b"" if message.body is None else message.body
        yield memoryview(message.metadata).cast("B"), memoryview(body).cast("B")


def _iterate_file(content: pa.Buffer) -> Iterator[tuple[memoryview, memoryview]]:
    """Follow the footer to the messages, as the reader does."""
    raw = memoryview(content).cast("B")
    length = _unpack("<i", raw, len(raw) - _FOOTER_TAIL)
    start = len(raw) - _FOOTER_TAIL - length
    if length <= 0 or start < 0:
        raise ValueError("the footer does not fit into the file")
    footer = raw[start : start + length]
    for field in (_FOOTER_DICTIONARIES, _FOOTER_BATCHES):
        first, count = _find_vector(footer, _find_root(footer), field)
        for number in range(count):
            offset, metadata_length, body_length = struct.unpack_from("<qi4xq", footer, first + number * _BLOCK_BYTES)
            prefix = 8 if _unpack("<I", raw, offset) == 0xFFFFFFFF else 4
            body = offset + metadata_length
            yield raw[offset + prefix : body], raw[body : body + body_length]


def _measure_message(metadata: memoryview, body: memoryview) -> int:
    message = _find_root(metadata)
    kind = _find_field(metadata, message, _MESSAGE_HEADER_TYPE)
    header_type = metadata[kind] if kind else 0
    if header_type not in (_IS_DICTIONARY, _IS_BATCH):
        return 0
    batch = _follow(metadata, _find_field(metadata, message, _MESSAGE_HEADER))
    if header_type == _IS_DICTIONARY:
        batch = _follow(metadata, _find_field(metadata, batch, _DICTIONARY_DATA))
    if not _find_field(metadata, batch, _BATCH_COMPRESSION):
        return 0  # the buffers are used if they are, in the mapped file
    first, count = _find_vector(metadata, batch, _BATCH_BUFFERS)
    size = 0
    for number in range(count):
        offset, length = struct.unpack_from("<qq", metadata, first + number * _BUFFER_BYTES)
        if length:
            decompressed = _unpack("<q", body, offset)
            size += decompressed if decompressed >= 0 else length
    return size


def _unpack(code: str, raw: memoryview, position: int) -> int:
    if position < 0:
        raise ValueError("a negative position")
    return int(struct.unpack_from(code, raw, position)[0])


def _find_root(table: memoryview) -> int:
    return _unpack("<I", table, 0)


def _find_field(raw: memoryview, table: int, number: int) -> int:
    """Return the position of a field of a flatbuffers table, 0 if it is absent."""
    layout = table - _unpack("<i", raw, table)
    slot = 4 + 2 * number
    offset = _unpack("<H", raw, layout + slot) if slot < _unpack("<H", raw, layout) else 0
    return table + offset if offset else 0


def _follow(raw: memoryview, position: int) -> int:
    if not position:
        raise ValueError("a message without content")
    return position + _unpack("<I", raw, position)


def _find_vector(raw: memoryview, table: int, number: int) -> tuple[int, int]:
    """Return the position of the first element of a vector and how many there are."""
    position = _find_field(raw, table, number)
    if not position:
        return 0, 0
    start = _follow(raw, position)
    return start + 4, _unpack("<I", raw, start)
