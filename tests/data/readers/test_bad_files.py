"""Files that cannot be read give one clear line."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import zstandard

from assay.base.errors import AssayError, MissingFileError, UsageError
from assay.data import read_table
from assay.kinds import read
from assay.system.json import check_line_depth

GOOD = "id,text,label\n1,hello there,a\n2,bye,b\n"
NOISE = random.Random(0).randbytes(3000)


@pytest.fixture
def write(tmp_path):
    def write(name, content=GOOD):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refuses(source, message, **options):
    with pytest.raises(AssayError, match=message) as caught:
        read(source, **options)
    assert "\n" not in str(caught.value)
    assert "--" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return caught.value


def test_a_missing_file_names_the_closest_one(write, tmp_path):
    write("reviews.csv")
    error = refuses(
        tmp_path / "reviws.csv", r"reviws.csv: there is no such file or folder. Did you mean '.*reviews.csv'\?"
    )
    assert isinstance(error, MissingFileError)
    assert isinstance(error, FileNotFoundError)
    refuses(tmp_path / "none" / "x.csv", "no such file or folder. There is no folder")
    assert isinstance(refuses(str(tmp_path / "none-*.csv"), "no file matches"), MissingFileError)


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "x.csv.gz"])
def test_an_empty_file_is_refused(write, name):
    refuses(write(name, b""), "x.*: the file is empty")


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.json"])
def test_white_space_alone_is_empty(write, name):
    refuses(write(name, "\n  \n"), "the file is empty: it holds only white space")


def test_compressed_nothing_is_empty(write):
    refuses(write("x.csv.gz", gzip.compress(b"", mtime=0)), "the file is empty")
    refuses(write("x.json", "[]"), "the file is empty")


def test_a_header_alone_is_refused(write):
    refuses(write("x.csv", "id,text,label\n"), r"the file has a header \(id, text, label\) and no rows")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.png", b"\x89PNG\r\n\x1a\n" + NOISE, "this is a PNG image"),
        ("x.zip", b"PK\x03\x04" + NOISE, "this is a zip archive or an Excel workbook"),
        ("x.csv", b"PK\x03\x04" + NOISE, "save the sheet as CSV"),
        ("x.csv", gzip.compress(GOOD.encode(), mtime=0), "this is gzip data. Give its name the ending .gz"),
        ("x.csv", zstandard.compress(GOOD.encode()), "this is zstd data"),
        ("x.exe", b"MZ\x90\x00" + NOISE, "this is a program"),
        ("x.csv", NOISE, "this is a binary file. Readable are .csv"),
        ("x.jsonl", NOISE, "this is a binary file"),
        ("x.csv.gz", GOOD, "the content is not gzip data, though the file name says so"),
        ("x.csv.gz", gzip.compress(NOISE, mtime=0), "this is a binary file"),
        ("x.pkl", b"\x80\x04\x95" + NOISE, "pickle, which is never loaded"),
    ],
    ids=["png", "zip", "excel", "gzip", "zstd", "program", "noise", "noise-jsonl", "no-gzip", "packed-noise", "pickle"],
)
def test_a_binary_file_is_named(write, name, content, message):
    refuses(write(name, content), message)


def test_a_folder_with_nothing_readable_is_refused(write, tmp_path):
    refuses(tmp_path, "the folder holds nothing readable. Readable are .csv")
    write("README.md", "# Read me")
    refuses(tmp_path, "the folder holds nothing readable")


def test_a_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "x.csv")
    refuses(tmp_path / "x.csv", "this is a pipe or device, not a file")


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    (tmp_path / "x.csv").mkdir()
    refuses(tmp_path / "x.csv", "the folder holds nothing readable")


def test_a_file_without_read_permission_is_refused(write, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    refuses(write("x.csv"), "cannot be read: Permission denied")


def test_a_name_that_no_path_can_have_is_refused():
    refuses("x" * 5000, "cannot be read: File name too long")


def test_mixed_types_become_text(write):
    lines = '{"text": "a", "label": 1}\n{"text": 2, "label": "x"}\n{"text": true, "label": 2.50}\n'
    data = read(write("x.jsonl", lines))
    assert data.texts.to_list() == ["a", "2", "true"]
    assert data.labels.to_list()[:2] == ["1", "x"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"text": "a"}\n\n{"text": {"b": 1}}\n', r"column 'text' holds an object \(line 3\), not text"),
        ('{"text": null}\n{"text": ["a"]}\n', r"column 'text' holds a list \(line 2\), not text"),
        ('{"text": {"a": 1}}\n{"text": ["a"]}\n', r"column 'text' holds an object \(line 1\), not text"),
        ('{"text": "a"}\n{"text": \n', "line 2: not JSON: .* at column"),
        ('{"text": "a"}\n["b"]\n', "line 2: a list instead of an object"),
        ('{"text": "a"}\ntext\n', "line 2: not JSON"),
        ("1\n2\n", "line 1: a number instead of an object"),
    ],
)
def test_a_bad_json_line_is_named(write, content, message):
    refuses(write("x.jsonl", content), f"x.jsonl.*{message}")


@pytest.mark.parametrize("depth", [990, 100_000])
@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_deeply_nested_json_is_refused(write, suffix, depth):
    record = '{"text": "a", "x": ' + "[" * depth + "]" * depth + "}"
    refuses(
        write(f"x.{suffix}", f"[{record}]" if suffix == "json" else f"{record}\n{record}\n"),
        "nested more than 200 deep",
    )


def test_text_that_looks_like_json_is_text(write):
    data = read(write("x.jsonl", '{"text": "[deleted]"}\n{"text": "{\\"a\\": 1}"}\n'))
    assert data.texts.to_list() == ["[deleted]", '{"a": 1}']


def test_json_that_is_not_a_table_is_refused(write):
    refuses(write("x.json", '{"version": 1, "data": []}'), "an object instead of an array of objects")
    refuses(write("x.json", '[{"text": "a"}, 3]'), "item 2: a number instead of an object")
    refuses(write("x.json", '[{"text": "a"'), "not JSON")


def test_bytes_and_lists_are_not_text():
    refuses(pl.DataFrame({"text": [b"a", b"b"]}), "column 'text' holds binary data, not text")
    refuses(pl.DataFrame({"text": [["a"], ["b"]]}), "column 'text' holds lists, not text")
    refuses([{"text": b"a"}], r"holds binary data \(item 1\), not text")


def test_a_million_columns_are_refused_at_once(write):
    header = ",".join(f"c{number}" for number in range(1_000_000))
    refuses(write("x.csv", f"{header}\n{header}\n"), "1,000,000 columns; at most 20,000 are read")


def test_an_endless_first_line_is_not_a_header(write):
    refuses(write("x.csv", b"x" * (17 << 20)), "the first line is longer than 16 MB, which is not a header")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak memory is read from /proc")
def test_a_line_of_200_mb_is_read_within_2_gb(write):
    path = write("x.csv", b"text,label\n" + b"x" * 200_000_000 + b",b\nshort,c\n")
    code = (
        "import sys\nfrom pathlib import Path\nfrom assay.kinds import read\n"
        "lengths = read(sys.argv[1]).texts.str.len_bytes().to_list()\n"
        "# Other than ru_maxrss, the peak of this program alone, without that of the process which started it.\n"
        "print(lengths, Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    lengths, _, kilobytes = done.stdout.rpartition(" ")
    assert lengths == "[200000000, 5]"
    assert int(kilobytes) < 2_000_000


@pytest.mark.parametrize("share", [0.003, 0.3, 0.9, 0.999])
def test_compressed_data_that_is_cut_off_is_refused(write, share):
    content = NOISE.hex().encode()
    for name, packed in (("x.csv.gz", gzip.compress(content, mtime=0)), ("x.csv.zst", zstandard.compress(content))):
        refuses(
            write(name, packed[: int(len(packed) * share)]), f"{name}: the file is cut off: its .* data stops after"
        )


def test_compressed_data_that_is_damaged_is_refused(write):
    packed = bytearray(gzip.compress((GOOD * 100).encode()))
    packed[-6] ^= 0xFF  # the checksum
    refuses(write("x.csv.gz", bytes(packed)), "the file is damaged: its gzip data cannot be decompressed")
    packed = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress((GOOD * 100).encode()))
    packed[-1] ^= 0xFF
    refuses(write("x.csv.zst", bytes(packed)), "the file is damaged: its zstd data cannot be decompressed")


@pytest.mark.parametrize(("name", "kind"), [("x.parquet", "Parquet"), ("x.arrow", "Arrow"), ("x.feather", "Arrow")])
def test_a_damaged_table_is_refused(write, tmp_path, name, kind):
    whole = tmp_path / "whole"
    frame = pl.DataFrame({"text": ["a", "b"] * 100})
    if kind == "Parquet":
        frame.write_parquet(whole)
    else:
        frame.write_ipc(whole)
    content = whole.read_bytes()
    for bad in (content[: len(content) // 2], content[:8] + NOISE, NOISE):
        refuses(write(name, bad), f"the file is damaged or no {kind} file")


def test_options_that_make_no_sense_are_usage_errors(write):
    path = write("x.csv")
    for options, message in [
        ({"text": ["a", "b", "c"]}, "text names 3 columns"),
        ({"text": ["text", "text"]}, "text names 'text' twice"),
        ({"missing": "ignore"}, "No way to handle missing cells 'ignore'. Known: drop, error, keep"),
        ({"sample": 0}, "sample is 0; at least 1 row"),
        ({"train": path}, "Training data is named twice. Use either data= or train="),
        ({"encoding": "utf-9"}, "encoding is 'utf-9', which is not a text encoding"),
        ({"quoting": "single"}, "No quoting 'single'"),
        ({"task": "par"}, r"No task 'par'. Did you mean 'pairs'\? Known: auto, classification"),
    ]:
        with pytest.raises(UsageError, match=message):
            read(path, **options)
    with pytest.raises(UsageError, match=r"There is no data. Name it as data=, or its parts with train="):
        read()


def test_read_table_raises_the_same_errors(write, tmp_path):
    write("folds.tsv")
    with pytest.raises(MissingFileError, match="Did you mean"):
        read_table(tmp_path / "fold.tsv")
    with pytest.raises(AssayError, match="line 2: 3 fields, the header has 2"):
        read_table(write("x.csv", "id,fold\n1,2,3\n"))


def test_other_objects_are_refused():
    refuses(42, "a int cannot be read. Use a path")
    refuses({"text": ["a"], "label": ["b", "c"]}, "data: the columns differ in length: text 1, label 2")
    refuses([], "no rows")


@pytest.mark.parametrize("depth", [5_000, 200_000])
def test_depth_is_checked_before_a_parser_that_has_no_limit(tmp_path, depth):
    check_line_depth(b'{"text": "' + b"[" * depth + b'"}\n{"a": 1}\n', "x.jsonl")  # brackets in a text nest nothing
    with pytest.raises(AssayError, match=r"x\.jsonl, line 2.*nested more than 200 deep"):
        check_line_depth(b'{"a": 1}\n{"a": ' + b'["]",' * depth + b"]" * depth + b"}\n", "x.jsonl")
