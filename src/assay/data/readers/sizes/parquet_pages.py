"""The sizes that a Parquet file declares in its footer and page headers, read without decoding a page.

Format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. The footer is read here, as
asking pyarrow for the metadata of a damaged column can end the process.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.data.readers.sizes.thrift import Struct, read_struct
from assay.system.limits import check_size

_TEXT, _FIXED = 6, 7  # physical types; all others are numbers
_CODECS = ("none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw")
_OLD_CODECS = ("lzo", "lz4")  # which pyarrow alone knows how to unwrap
_NUMBER_TEXT = 40  # characters of a number as text
_LENGTH_BYTES = 4  # before each text of a plain page
_MAX_ENTRIES = 200_000  # of a dictionary whose entries are measured one by one
_MAX_ALL_ENTRIES = 20_000_000  # of all dictionaries of a file that are measured so
_MAX_HEADER_BYTES = 1 << 20  # of a page; statistics hold two values, and readers refuse headers of more than 16 MB
_MAX_LEVELS = 100  # of lists and objects inside each other
_FIELD_BYTES = 100  # of Python memory for a byte of the footer: an empty struct
# Numbers of fields in Parquet's Thrift definition.
_SCHEMA, _ROW_GROUPS, _COLUMNS, _COLUMN = 2, 4, 1, 3
_ELEMENT_TYPE, _ELEMENT_LENGTH, _ELEMENT_REPETITION, _ELEMENT_NAME, _ELEMENT_CHILDREN = 1, 2, 3, 4, 5
_CODEC, _COLUMN_VALUES, _COLUMN_BYTES, _DATA_OFFSET, _DICTIONARY_OFFSET = 4, 5, 7, 9, 11
_REPEATED = 2
_TYPE, _UNCOMPRESSED, _COMPRESSED, _DATA, _DICTIONARY, _DATA_V2 = 1, 2, 3, 5, 7, 8
_N_VALUES, _ENCODING, _ENCODING_V2 = 1, 2, 4
_IS_DICTIONARY_PAGE = 2
_PLAIN, _PLAIN_DICTIONARY, _DELTA_BYTE_ARRAY, _RLE_DICTIONARY = 0, 2, 7, 8
_FOOTER_TAIL = 8  # the length of the footer, and "PAR1"


@dataclass(frozen=True)
class Leaf:
    """A column of values: its path, how wide a value is that is not a text, and whether it is inside a list or object."""

    path: str
    width: int
    is_text: bool
    is_nested: bool


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
        """Return whether the values are numbers of dictionary entries."""
        return self.encoding in (_PLAIN_DICTIONARY, _RLE_DICTIONARY)

    @property
    def is_delta(self) -> bool:
        """Return whether a text is encoded by how many characters of the text before it it repeats."""
        return self.encoding == _DELTA_BYTE_ARRAY


@dataclass(frozen=True)
class Chunk:
    """One column of one row group, with its pages."""

    row_group: int
    leaf: Leaf
    n_values: int
    codec: str
    n_bytes: int  # of the file
    dictionaries: tuple[Page, ...]
    pages: tuple[Page, ...]

    @property
    def page_bytes(self) -> int:
        """Return what the decoder holds at a time: the dictionary and one page."""
        return max((page.size for page in self.dictionaries), default=0) + max((p.size for p in self.pages), default=0)

    @property
    def is_delta(self) -> bool:
        """Return whether texts are encoded by what they share with the text before."""
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


def measure_entries(chunks: list[Chunk], content: memoryview) -> list[int]:
    """Return the length of the longest text in the dictionaries of every chunk; 0 for chunks without texts."""
    n_left = _MAX_ALL_ENTRIES
    longest = []
    for chunk in chunks:
        pages = chunk.dictionaries if chunk.leaf.is_text else ()
        n_entries = sum(page.n_values for page in pages)
        is_small = n_entries <= min(_MAX_ENTRIES, n_left) and chunk.codec not in _OLD_CODECS
        n_left -= n_entries if is_small else 0
        measure = _measure_longest_entry if is_small else _bound_longest_entry
        longest.append(max((measure(page, chunk.codec, content) for page in pages), default=0))
    return longest


def measure_chunks(content: memoryview, path: Path) -> list[Chunk]:
    """Read the footer, and the page headers of all columns and row groups."""
    (length,) = struct.unpack_from("<I", content, len(content) - _FOOTER_TAIL)
    start = len(content) - _FOOTER_TAIL - length
    if start < 0:
        raise ValueError("the footer does not fit into the file")
    check_size(length * _FIELD_BYTES, path)
    footer, _ = read_struct(content[start : start + length], 0)
    leaves = _find_leaves(footer[_SCHEMA])
    chunks: list[Chunk] = []
    n_left = len(content)
    for group, row_group in enumerate(footer.get(_ROW_GROUPS, [])):
        for leaf, chunk in zip(leaves, row_group[_COLUMNS], strict=True):
            chunks.append(_measure_chunk(group, leaf, chunk[_COLUMN], content, n_left))
            n_left -= chunks[-1].n_bytes
    return chunks


def _find_leaves(schema: list[Struct]) -> list[Leaf]:
    """Walk through the tree of columns, which is written depth first."""
    leaves: list[Leaf] = []
    open_groups = [(int(schema[0].get(_ELEMENT_CHILDREN, 0)), "")]  # children that are still to come, and their path
    for element in schema[1:]:
        while open_groups[-1][0] == 0:
            open_groups.pop()
        n_left, parent = open_groups[-1]
        open_groups[-1] = (n_left - 1, parent)
        path = parent + bytes(element[_ELEMENT_NAME]).decode()
        if len(open_groups) > _MAX_LEVELS:
            raise ValueError("columns nested too deep")
        if element.get(_ELEMENT_CHILDREN):
            open_groups.append((int(element[_ELEMENT_CHILDREN]), f"{path}."))
            continue
        kind = element[_ELEMENT_TYPE]
        width = 0 if kind == _TEXT else element[_ELEMENT_LENGTH] if kind == _FIXED else _NUMBER_TEXT
        is_nested = bool(parent) or element.get(_ELEMENT_REPETITION) == _REPEATED
        leaves.append(Leaf(path, width, kind == _TEXT, is_nested))
    return leaves


def _measure_chunk(group: int, leaf: Leaf, column: Struct, content: memoryview, n_left: int) -> Chunk:
    pages, n_bytes = _read_page_headers(column, content, n_left)
    data_pages = tuple(page for page in pages if not page.is_dictionary)
    return Chunk(
        row_group=group,
        leaf=leaf,
        n_values=max(column[_COLUMN_VALUES], sum(page.n_values for page in data_pages)),
        codec=_CODECS[column[_CODEC]],
        n_bytes=n_bytes,
        dictionaries=tuple(page for page in pages if page.is_dictionary),
        pages=data_pages,
    )


def _read_page_headers(column: Struct, content: memoryview, n_left: int) -> tuple[list[Page], int]:
    """Return the pages of a column and how many bytes they take: all columns together fit into the file."""
    start = column[_DATA_OFFSET]
    if 0 < column.get(_DICTIONARY_OFFSET, 0) < start:
        start = column[_DICTIONARY_OFFSET]
    if start < 0:
        raise ValueError("a column before the beginning of the file")
    pages: list[Page] = []
    n_values, position = 0, start
    while position < start + column[_COLUMN_BYTES] and n_values < column[_COLUMN_VALUES]:
        fields, length = read_struct(content[position : position + _MAX_HEADER_BYTES], 0)
        page = _make_page(fields, position + length)
        position += length + page.n_compressed
        if position - start > n_left:
            raise ValueError("its columns overlap")
        n_values += 0 if page.is_dictionary else page.n_values
        pages.append(page)
    return pages, position - start


def _make_page(fields: Struct, position: int) -> Page:
    headers = [fields[number] for number in (_DATA, _DICTIONARY, _DATA_V2) if isinstance(fields.get(number), dict)]
    header = headers[0] if headers else {}
    size, n_compressed, n_values = fields.get(_UNCOMPRESSED), fields.get(_COMPRESSED), header.get(_N_VALUES, 0)
    if not all(isinstance(number, int) and number >= 0 for number in (size, n_compressed, n_values)):
        raise ValueError("a page header without sizes")
    encoding = header.get(_ENCODING_V2 if _DATA_V2 in fields else _ENCODING, _PLAIN)
    return Page(position, n_compressed or 0, size or 0, n_values, encoding, fields.get(_TYPE) == _IS_DICTIONARY_PAGE)


def _bound_longest_entry(page: Page, _codec: str, _content: memoryview) -> int:
    """Return the length of all entries together."""
    return max(0, page.size - _LENGTH_BYTES * page.n_values)


def _measure_longest_entry(page: Page, codec: str, content: memoryview) -> int:
    entries: Any = content[page.position : page.position + page.n_compressed]
    if codec != "none":
        entries = memoryview(pa.Codec(codec).decompress(pa.py_buffer(entries), decompressed_size=page.size))
    longest = position = 0
    for _ in range(page.n_values):
        (length,) = struct.unpack_from("<I", entries, position)
        longest = max(longest, length)
        position += _LENGTH_BYTES + length
    return longest
