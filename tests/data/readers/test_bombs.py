"""Small files that would decode to many gigabytes are refused, and memory stays within the documented bound.

Each bomb is read in a process of its own. The bound is the limit, a quarter of it for the allocators, and 64 MB.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from assay.base.errors import AssayError
from assay.data import read_table
from assay.data.readers import compression
from assay.data.readers.sizes.arrow_messages import measure_messages
from assay.data.readers.sizes.arrow_sizes import measure_array
from assay.data.readers.sizes.parquet_pages import Leaf, measure_chunks, measure_entries
from assay.kinds import read
from assay.system.limits import CELL_BYTES, max_bytes

LIMIT = 100_000_000
BOUND = LIMIT + LIMIT // 4 + 64_000_000
MAX_FILE_BYTES = 1_600_000
LONG = "x" * 1_000_000

READ = """
import resource, sys
from assay.base.errors import AssayError
import assay.data.readers, charset_normalizer, zstandard
from assay.kinds import read

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    message = repr(read(sys.argv[1]))
except AssayError as error:
    message = str(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, message)
"""


def repeat(text: str, n: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([text]))


def write_parquet(path, columns, **options):
    parquet.write_table(pa.table(columns), path, compression="zstd", **options)


def write_ipc(path, columns, compression=None, *, stream=False):
    table = pa.table(columns)
    opener = pa.ipc.new_stream if stream else pa.ipc.new_file
    with opener(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table)


def write_lists(path):
    n = 5_000_000
    lists = pa.ListArray.from_arrays(pa.array([0, n], pa.int32()), repeat("y" * 10_000, n))
    write_parquet(path, {"text": ["a"], "choices": lists})


def write_views(path):
    view = pa.array([LONG], pa.string_view()).buffers()
    n = 10_000
    buffers = [None, pa.py_buffer(view[1].to_pybytes() * n), view[2]]
    write_ipc(path, {"text": pa.Array.from_buffers(pa.string_view(), n, buffers)})


def write_zstd(path, window_log=0):
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=window_log)
    with path.open("wb") as file, zstandard.ZstdCompressor(compression_params=parameters).stream_writer(file) as writer:
        writer.write(b"text\n")
        for _ in range(300):
            writer.write(b"a" * (1 << 24))


def write_gzip(path, head, block, n):
    with gzip.open(path, "wb", compresslevel=6) as file:
        file.write(head)
        for _ in range(n):
            file.write(block)


def write_sparse_json(path):
    keys = ",".join(f'"c{number}":1' for number in range(3000))
    path.write_text('{"text":"a",' + keys + "}\n" + "{}\n" * 200_000, encoding="utf-8")


BOMBS = {
    "one text of a dictionary, 200 GB.parquet": lambda path: write_parquet(path, {"text": repeat(LONG, 200_000)}),
    "runs of equal numbers.parquet": lambda path: write_parquet(
        path, {"text": repeat("ab", 10**7), "n": np.zeros(10**7, np.int64)}, row_group_size=10**7
    ),
    "one row with 50 GB of lists.parquet": write_lists,
    "compressed pages.parquet": lambda path: write_parquet(path, {"text": [LONG] * 200}, use_dictionary=False),
    "texts that repeat their beginning.parquet": lambda path: write_parquet(
        path,
        {"text": ["z" * n for n in range(1, 20_000)]},
        use_dictionary=False,
        column_encoding={"text": "DELTA_BYTE_ARRAY"},
    ),
    "compressed buffers.arrow": lambda path: write_ipc(path, {"text": [LONG] * 200}, "zstd"),
    "compressed buffers of a stream.arrow": lambda path: write_ipc(path, {"text": [LONG] * 200}, "zstd", stream=True),
    "a dictionary, 20 GB.arrow": lambda path: write_ipc(path, {"text": repeat(LONG, 20_000)}),
    "a column of nulls.arrow": lambda path: write_ipc(path, {"text": pa.nulls(2_000_000_000)}),
    "one run of two billion rows.arrow": lambda path: write_ipc(
        path, {"text": pa.RunEndEncodedArray.from_arrays(pa.array([2_000_000_000], pa.int32()), pa.array(["a"]))}
    ),
    "views of one text.arrow": write_views,
    "5 GB.csv.zst": write_zstd,
    "a window of 256 MB.csv.zst": lambda path: write_zstd(path, window_log=28),
    "1 GB.csv.gz": lambda path: write_gzip(path, b"text\n", b"a" * (1 << 24), 64),
    "empty cells.csv.gz": lambda path: write_gzip(path, b"text" + b",a" * 9 + b"\n", (b"," * 9 + b"\n") * 100_000, 90),
    "empty lists.json.gz": lambda path: write_gzip(path, b"[[]", b",[]" * 1_000_000, 30),
    "sparse objects.jsonl": write_sparse_json,
}


@pytest.mark.parametrize("name", list(BOMBS))
def test_a_bomb_is_refused_within_the_bound(tmp_path, monkeypatch, name):
    path = tmp_path / name.replace(",", "")
    BOMBS[name](path)
    assert path.stat().st_size < MAX_FILE_BYTES
    monkeypatch.setenv("ASSAY_MAX_BYTES", str(LIMIT))
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
    kilobytes, _, message = done.stdout.rstrip("\n").partition(" ")
    assert "\n" not in message
    assert f"{path.name}: the content decodes to more than 100,000,000 bytes. Set ASSAY_MAX_BYTES" in message
    assert int(kilobytes) * 1024 < BOUND


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_bomb_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch, suffix):
    block = b"text\n" + b"a" * (1 << 24)
    content = gzip.compress(block) if suffix == "gz" else zstandard.compress(block)
    path = tmp_path / f"x.csv.{suffix}"
    path.write_bytes(content * 10)
    with pytest.raises(AssayError, match=r"unpacks to more than 250 times its size\. If it is yours, set ASSAY_MAX_BY"):
        read(path)
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e9")
    assert len(compression.read_content(path)) == 10 * len(block)


def test_a_lack_of_memory_is_not_called_damage(tmp_path, monkeypatch):
    def fail(*_arguments):
        raise MemoryError

    monkeypatch.setattr(compression, "_gzip_pieces", fail)
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"text\na\n"))
    with pytest.raises(MemoryError):
        read(tmp_path / "x.csv.gz")


@pytest.mark.parametrize("suffix", ["csv.gz", "csv.zst", "jsonl.gz", "parquet", "arrow", "json"])
def test_a_file_within_the_limit_is_read(tmp_path, monkeypatch, suffix):
    texts = [f"{number} " + "word " * 50 for number in range(2000)] + ["equal"] * 2000
    frame = pl.DataFrame({"text": texts, "n": range(4000)})
    path = tmp_path / f"x.{suffix}"
    if suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "arrow":
        frame.write_ipc(path, compression="zstd")
    elif suffix == "json":
        frame.write_json(path)
    else:
        content = (frame.write_csv() if "csv" in suffix else frame.write_ndjson()).encode()
        path.write_bytes(gzip.compress(content) if suffix.endswith("gz") else zstandard.compress(content))
    monkeypatch.setenv("ASSAY_MAX_BYTES", "6e6")
    assert read(path).texts.to_list() == texts
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e5")
    with pytest.raises(AssayError, match="decodes to more than 100,000 bytes"):
        read(path)


def test_small_batches_give_the_same_table(tmp_path, monkeypatch):
    """Near the limit a Parquet file is decoded a few rows at a time; the table must not depend on that."""
    columns = {
        "text": [f"{number % 700} " + "word " * (number % 40) for number in range(5000)],
        "tags": [[f"t{number % 9}"] * (number % 4) for number in range(5000)],
        "n": list(range(5000)),
        "day": pa.array(range(5000), pa.date32()),
        "kind": pa.array(["a", "b"] * 2500).dictionary_encode(),
    }
    write_parquet(tmp_path / "x.parquet", columns, row_group_size=1300)
    whole = read_table(tmp_path / "x.parquet")
    monkeypatch.setenv("ASSAY_MAX_BYTES", "3e6")
    assert read_table(tmp_path / "x.parquet").equals(whole)
    assert whole["tags"].to_list()[:3] == ["[]", '["t1"]', '["t2","t2"]']


def encode_number(value: int, n_bytes: int = 0) -> bytes:
    """Write a number as Thrift does, with as many bytes as asked for."""
    value, digits = 2 * value, []
    while value or not digits or len(digits) < n_bytes:
        digits.append(value & 127 | 128)
        value >>= 7
    digits[-1] &= 127
    return bytes(digits)


def test_metadata_that_claims_small_pages_is_not_believed(tmp_path, monkeypatch):
    """Sizes are those of the page headers, which the decoder obeys, whatever the footer says."""
    path = tmp_path / "x.parquet"
    write_parquet(path, {"text": [LONG] * 5}, use_dictionary=False)
    size = parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size
    raw, claim = path.read_bytes(), encode_number(size)
    path.write_bytes(raw.replace(claim, encode_number(9, len(claim))))
    assert parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size == 9
    assert read_table(path)["text"].to_list() == [LONG] * 5
    monkeypatch.setenv("ASSAY_MAX_BYTES", "9e5")
    with pytest.raises(AssayError, match="decodes to more than 900,000 bytes"):
        read_table(path)


def test_page_headers_are_measured(tmp_path):
    columns = {
        "text": ["ab", "ab", "cde"],
        "n": [1, 2, 3],
        "tags": [["x"], [], ["y", "z"]],
        "more": [{"a": {"b": "u"}, "c": 1}] * 3,
        "a.b": ["", "", ""],
    }
    write_parquet(tmp_path / "x.parquet", columns)
    content = memoryview((tmp_path / "x.parquet").read_bytes())
    text, number, tags, inner, other, dotted = measure_chunks(content, tmp_path)
    assert (text.leaf, text.n_values) == (Leaf("text", 0, is_text=True, is_nested=False), 3)
    assert (measure_entries([text], content)[0], text.measure_texts(3), text.measure_longest(3)) == (3, 9, 3)
    assert (number.leaf, number.n_values) == (Leaf("n", 40, is_text=False, is_nested=False), 3)
    assert (tags.leaf.is_nested, tags.n_values, measure_entries([tags], content)[0]) == (True, 4, 1)
    assert inner.leaf == Leaf("more.a.b", 0, is_text=True, is_nested=True)
    assert other.leaf.path == "more.c"
    assert dotted.leaf == Leaf("a.b", 0, is_text=True, is_nested=False)
    names = [parquet.ParquetFile(tmp_path / "x.parquet").metadata.schema.column(number).path for number in range(6)]
    assert [chunk.leaf.path for chunk in (text, number, tags, inner, other, dotted)] == names


@pytest.mark.parametrize("codec", ["NONE", "SNAPPY", "GZIP", "ZSTD", "LZ4", "BROTLI"])
def test_entries_of_dictionaries_are_measured_in_every_compression(tmp_path, codec):
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"text": ["ab", "ab", "cde"] * 100}), path, compression=codec)
    content = memoryview(path.read_bytes())
    (chunk,) = measure_chunks(content, tmp_path)
    assert measure_entries([chunk], content) == [3]
    assert read_table(path)["text"].to_list() == ["ab", "ab", "cde"] * 100


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("compression", ["zstd", "lz4", None])
def test_declared_sizes_of_buffers_are_summed(tmp_path, compression, stream):
    write_ipc(tmp_path / "x.arrow", {"text": [LONG] * 5}, compression, stream=stream)
    content = pa.py_buffer((tmp_path / "x.arrow").read_bytes())
    size = measure_messages(content, is_file=not stream)
    assert (5_000_000 <= size < 5_001_000) if compression else size == 0


@pytest.mark.parametrize(
    ("array", "n_bytes"),
    [
        (pa.array(["ab", None, "c"]), 3 * CELL_BYTES + 3),
        (pa.array(["ab", None, "c"], pa.string_view()), 3 * CELL_BYTES + 3),
        (pa.array(["abc", "ab", None, "ab"]).dictionary_encode().slice(1), 3 * CELL_BYTES + 4),
        (pa.array([["ab", "c"], [], None]), 5 * CELL_BYTES + 3),
        (pa.array([{"a": "xyz"}, None]), 4 * CELL_BYTES + 3),
        (pa.nulls(7), 7 * CELL_BYTES),
    ],
)
def test_decoded_sizes_of_arrays_are_counted(array, n_bytes):
    assert measure_array(array) == n_bytes


def test_a_limit_that_is_not_a_number_is_refused(monkeypatch):
    monkeypatch.setenv("ASSAY_MAX_BYTES", "much")
    with pytest.raises(AssayError, match="ASSAY_MAX_BYTES is 'much', which is not a number of bytes"):
        max_bytes()


def test_the_limit_is_half_of_the_memory(monkeypatch):
    monkeypatch.delenv("ASSAY_MAX_BYTES", raising=False)
    pages = os.sysconf("SC_PHYS_PAGES")
    assert 0 < max_bytes() <= pages * os.sysconf("SC_PAGE_SIZE") // 2


def test_small_texts_of_a_folder_that_unpack_to_a_lot_are_refused(tmp_path):
    packed = gzip.compress(b"a" * 2_000_000)
    for name in ("pos", "neg"):
        (tmp_path / name).mkdir()
        for number in range(30):
            (tmp_path / name / f"{number}.txt.gz").write_bytes(packed)
    with pytest.raises(AssayError, match="unpacks to more than 250 times its size"):
        read(tmp_path)
