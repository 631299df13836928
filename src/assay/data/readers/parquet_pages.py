"""The sizes that a Parquet file declares in its page headers, read without decoding a page.

Format: https://parquet.apache.org/docs/file-format/data-pages/, in Thrift's compact protocol.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8, "BYTE_ARRAY": 0}
_NUMBER_TEXT = 40
_LENGTH_BYTES = 4  # before each text of a plain page
_MAX_ENTRIES = 200_000  # of a dictionary whose entries are measured one by one
# Numbers of fields in Parquet's Thrift definition.
_TYPE, _UNCOMPRESSED, _COMPRESSED, _DATA, _DICTIONARY, _DATA_V2 = 1, 2, 3, 5, 7, 8
_N_VALUES, _ENCODING, _ENCODING_V2 = 1, 2, 4
_IS_DICTIONARY_PAGE = 2
_PLAIN, _PLAIN_DICTIONARY, _DELTA_BYTE_ARRAY, _RLE_DICTIONARY = 0, 2, 7, 8
_MAX_DEPTH = 16


@dataclass(frozen=True)
class Page:
    """A page: where its content is, how large it is, how many values it has and how they are encoded."""

    position: int
    n_compressed: int
    size: int
    n_values: int
    encoding: int
    is_dictionary: bool

    @property
    def uses_dictionary(self) -> bool:
        """Tell whether the values are numbers of dictionary entries."""
        return self.encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY)

    @property
    def is_delta(self) -> bool:
        """Tell whether a text is encoded by how many characters of the text before it it repeats."""
        return self.encoding == _DELTA_BYTE_ARRAY


@dataclass(frozen=True)
class Chunk:
    """One column of one row group; `width` is the size of a value that is no text."""

    row_group: int
    path: str
    n_values: int
    width: int
    is_text: bool
    is_nested: bool
    compression: str
    dictionaries: tuple[Page, ...]
    pages: tuple[Page, ...]

    @property
    def page_bytes(self) -> int:
        """Return what the decoder holds at a time: the dictionary and one page."""
        return max((page.size for page in self.dictionaries), default=0) + max((p.size for p in self.pages), default=0)

    @property
    def is_delta(self) -> bool:
        """Tell whether texts are encoded by what they share with the text before."""
        return any(page.is_delta for page in self.pages)

    def measure_texts(self, longest_entry: int) -> int:
        """Return an upper bound for all texts: plain ones are there once, others as often as they are used."""
        size = 0
        for page in self.pages:
            repeated = longest_entry if page.uses_dictionary else page.size if page.is_delta else 0
            size += page.n_values * repeated if repeated else 0 if page.uses_dictionary else page.size
        return size

    def measure_longest(self, longest_entry: int) -> int:
        """Return an upper bound for a single text."""
        return max([longest_entry, *(page.size for page in self.pages if not page.uses_dictionary)])

    def measure_entries(self, content: memoryview) -> int:
        """Return the length of the longest entry of the dictionary."""
        return max((_measure_longest_entry(page, self.compression, content) for page in self.dictionaries), default=0)


def measure_chunks(metadata: Any, column_names: set[str], content: memoryview) -> list[Chunk]:
    """Read the page headers of all columns and row groups; `column_names` are those of the whole table."""
    return [
        _measure_chunk(metadata, group, column, column_names, content)
        for group in range(metadata.num_row_groups)
        for column in range(metadata.num_columns)
    ]


def _measure_chunk(metadata: Any, group: int, column: int, column_names: set[str], content: memoryview) -> Chunk:
    chunk, schema = metadata.row_group(group).column(column), metadata.schema.column(column)
    if chunk.physical_type == "FIXED_LEN_BYTE_ARRAY":
        width = int(schema.length)
    else:
        width = _WIDTHS[chunk.physical_type] and max(_WIDTHS[chunk.physical_type], _NUMBER_TEXT)
    pages = _read_page_headers(chunk, content)
    data_pages = tuple(page for page in pages if not page.is_dictionary)
    return Chunk(
        row_group=group,
        path=chunk.path_in_schema,
        n_values=max(chunk.num_values, sum(page.n_values for page in data_pages)),
        width=width,
        is_text=chunk.physical_type == "BYTE_ARRAY",
        is_nested=schema.max_repetition_level > 0 or chunk.path_in_schema not in column_names,
        compression=chunk.compression,
        dictionaries=tuple(page for page in pages if page.is_dictionary),
        pages=data_pages,
    )


def _read_page_headers(chunk: Any, content: memoryview) -> list[Page]:
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < start:
        start = chunk.dictionary_page_offset
    pages: list[Page] = []
    n_values, position = 0, start
    while position < start + chunk.total_compressed_size and n_values < chunk.num_values:
        fields, position = _read_struct(content, position)
        page = _make_page(fields, position)
        position += page.n_compressed
        n_values += 0 if page.is_dictionary else page.n_values
        pages.append(page)
    return pages


def _make_page(fields: dict[int, Any], position: int) -> Page:
    header = fields.get(_DATA) or fields.get(_DICTIONARY) or fields.get(_DATA_V2) or {}
    size, n_compressed, n_values = fields.get(_UNCOMPRESSED), fields.get(_COMPRESSED), header.get(_N_VALUES, 0)
    if not all(isinstance(number, int) and number >= 0 for number in (size, n_compressed, n_values)):
        raise ValueError("a page header without sizes")
    encoding = header.get(_ENCODING_V2 if _DATA_V2 in fields else _ENCODING, _PLAIN)
    return Page(position, n_compressed or 0, size or 0, n_values, encoding, fields.get(_TYPE) == _IS_DICTIONARY_PAGE)


def _measure_longest_entry(page: Page, compression: str, content: memoryview) -> int:
    """Return the length of the longest entry, or that of all together where they are too many to look at."""
    if page.n_values > _MAX_ENTRIES:
        return page.size - _LENGTH_BYTES * page.n_values
    entries: Any = content[page.position : page.position + page.n_compressed]
    if compression != "UNCOMPRESSED":
        name = {"LZ4": "lz4_raw"}.get(compression, compression.lower())
        entries = memoryview(pa.Codec(name).decompress(pa.py_buffer(entries), decompressed_size=page.size))
    longest = position = 0
    for _ in range(page.n_values):
        (length,) = struct.unpack_from("<I", entries, position)
        longest = max(longest, length)
        position += _LENGTH_BYTES + length
    return longest


def _read_struct(raw: memoryview, position: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """Read the fields of a struct by number; what is no number or struct is skipped."""
    if depth > _MAX_DEPTH:
        raise ValueError("page headers nested too deep")
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head = raw[position]
        position += 1
        if head == 0:
            return fields, position
        if head >> 4:
            number += head >> 4
        else:
            number, position = _read_number(raw, position)
        fields[number], position = _read_value(raw, position, head & 15, depth)


def _read_value(raw: memoryview, position: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in (1, 2):  # true and false, in the type itself
        return kind == 1, position
    if kind == 3:
        return raw[position], position + 1
    if kind in (4, 5, 6):
        return _read_number(raw, position)
    if kind == 7:
        return None, position + 8
    if kind == 8:
        length, position = _read_unsigned(raw, position)
        return None, position + length
    if kind in (9, 10):
        return _skip_list(raw, position, depth)
    if kind == 12:
        return _read_struct(raw, position, depth + 1)
    raise ValueError(f"a page header holds the unknown type {kind}")


def _skip_list(raw: memoryview, position: int, depth: int) -> tuple[None, int]:
    head = raw[position]
    count, position = (head >> 4, position + 1) if head >> 4 < 15 else _read_unsigned(raw, position + 1)
    for _ in range(count):
        if head & 15 in (1, 2):
            position += 1
        else:
            _, position = _read_value(raw, position, head & 15, depth + 1)
    return None, position


def _read_number(raw: memoryview, position: int) -> tuple[int, int]:
    value, position = _read_unsigned(raw, position)
    return (value >> 1) ^ -(value & 1), position


def _read_unsigned(raw: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        byte = raw[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
    raise ValueError("a number of more than ten bytes")
