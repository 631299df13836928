"""Damaged metadata of Parquet and Arrow files is refused in time and memory that grow with the file only."""

import os
import struct
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from assay.base.errors import AssayError
from assay.data import read_table
from assay.data.readers.sizes import parquet_pages
from assay.data.readers.sizes.arrow_messages import _FOOTER_BATCHES, _find_root, _find_vector, measure_messages
from assay.data.readers.sizes.parquet_pages import measure_chunks, measure_entries
from assay.data.readers.sizes.thrift import read_struct

READ = """
import resource, sys
from assay.base.errors import AssayError
from assay.data import read_table

resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
try:
    read_table(sys.argv[1])
except AssayError as error:
    print(error)
"""
HUGE = b"\x80\x80\x80\x80\x80\x20"  # 2 ** 40


def write_number(value):
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes([*encoded, value])


@pytest.mark.parametrize(
    "content",
    [
        b"\xf9\xf7" + HUGE,  # a list of doubles
        b"\xf9\xf1" + HUGE,  # of booleans
        b"\xf9\xfc" + HUGE,  # of structs
        b"\xf8" + HUGE,  # a string
        b"\xf7",  # a double
        b"\x19" * 10_000,  # lists inside lists
        b"\x1c" * 10_000,  # structs inside structs
    ],
    ids=["doubles", "booleans", "structs", "string", "double", "lists", "nested"],
)
def test_values_must_fit_into_the_metadata(content):
    with pytest.raises(ValueError, match=r"does not fit|too deep"):
        read_struct(memoryview(content + bytes(4)), 0)


def test_a_page_header_with_an_endless_list_is_refused(tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table({"text": ["one", "two"], "label": ["a", "b"]}), path)
    content = bytearray(path.read_bytes())
    content[4:12] = b"\xf9\xf7" + HUGE
    path.write_bytes(content)
    run = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, timeout=300, env=dict(os.environ)
    )
    assert "data.parquet: the file is damaged" in run.stdout, run.stderr


def write_footer(path, schema, n_pages=1, n_groups=1):
    """Write a Parquet file whose footer has this schema, and the same chunk of pages in every row group."""
    page = b"\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x15\x00\x15\x06\x15\x06\x00\x00" + b"\x00"
    n_values, n_bytes = write_number(2 * n_pages), write_number(2 * n_pages * len(page))
    column = b"\x15\x02\x19\x15\x00\x19\x18\x01t\x15\x00\x16" + n_values + (b"\x16" + n_bytes) * 2 + b"\x26\x08\x00"
    chunks = [b"\x26\x08\x1c" + column + b"\x00"]
    group = b"\x19" + bytes([len(chunks) << 4 | 12]) + b"".join(chunks) + b"\x16\x00\x16\x02\x00"
    footer = (
        b"\x15\x02"  # the version
        + (b"\x19\xfc" + write_number(len(schema)) + b"".join(schema))
        + b"\x16\x02"  # the rows
        + (b"\x19\xfc" + write_number(n_groups) + group * n_groups)
        + b"\x00"
    )
    path.write_bytes(b"PAR1" + page * n_pages + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    return path


ROOT = b"\x48\x01r\x15\x02\x00"
LEAF = b"\x15\x02\x25\x00\x18\x01t\x00"


def test_chunks_that_share_pages_are_refused(tmp_path):
    single = write_footer(tmp_path / "single.parquet", [ROOT, LEAF], n_pages=100).read_bytes()
    assert [len(chunk.pages) for chunk in measure_chunks(memoryview(single), tmp_path)] == [100]
    many = write_footer(tmp_path / "many.parquet", [ROOT, LEAF], n_pages=100, n_groups=100).read_bytes()
    with pytest.raises(ValueError, match="columns overlap"):
        measure_chunks(memoryview(many), tmp_path)


def test_columns_nested_too_deep_are_refused(tmp_path):
    group = b"\x35\x02\x18\x01g\x15\x02\x00"
    path = write_footer(tmp_path / "deep.parquet", [ROOT, *[group] * 20_000, LEAF])
    with pytest.raises(AssayError, match="nested too deep"):
        read_table(path)


def test_entries_of_many_dictionaries_are_bounded_by_their_size(tmp_path, monkeypatch):
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table({"text": ["one", "three", "two", "two"]}), path, row_group_size=2, compression="none")
    content = memoryview(path.read_bytes())
    chunks = measure_chunks(content, path)
    assert measure_entries(chunks, content) == [5, 3]
    monkeypatch.setattr(parquet_pages, "_MAX_ALL_ENTRIES", 2)
    assert measure_entries(chunks, content) == [5, 3]  # the second dictionary has one entry
    monkeypatch.setattr(parquet_pages, "_MAX_ALL_ENTRIES", 0)
    assert measure_entries(chunks, content) == [8, 3]


def test_arrow_blocks_that_share_a_message_are_refused(tmp_path):
    path = tmp_path / "data.arrow"
    table = pa.table({"text": ["word " * 50] * 20})
    with pa.ipc.new_file(path, table.schema) as writer:
        for _ in range(8):
            writer.write_table(table)
    content = bytearray(path.read_bytes())
    assert measure_messages(pa.py_buffer(content), is_file=True) == 0
    length = int.from_bytes(content[-10:-6], "little")
    start = len(content) - 10 - length
    footer = memoryview(content)[start : start + length]
    first, count = _find_vector(footer, _find_root(footer), _FOOTER_BATCHES)
    assert count == 8
    for number in range(count):
        struct.pack_into("<q", content, start + first + 24 * number + 16, len(content) // 2)
    with pytest.raises(ValueError, match="messages overlap"):
        measure_messages(pa.py_buffer(content), is_file=True)
