"""Bad input gives one clear line."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys

import polars as pl
import pytest
import zstandard

from assay.base.errors import AssayError, UsageError
from assay.data import read, read_table

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


def refuses(source, told, **options):
    with pytest.raises(AssayError, match=told) as caught:
        read(source, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_missing_file_is_told_with_the_nearest_name(write, tmp_path):
    write("reviews.csv")
    refuses(tmp_path / "reviws.csv", r"No file or folder .*reviws.csv. Did you mean '.*reviews.csv'\?")
    refuses(tmp_path / "none" / "x.csv", "there is no folder")
    refuses(str(tmp_path / "none-*.csv"), "No file matches")


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "x.csv.gz"])
def test_an_empty_file_is_told(write, name):
    refuses(write(name, b""), "x.* is empty")


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.json"])
def test_white_space_alone_is_empty(write, name):
    refuses(write(name, "\n  \n"), "is empty")


def test_packed_emptiness_is_empty(write):
    refuses(write("x.csv.gz", gzip.compress(b"", mtime=0)), "is empty")
    refuses(write("x.json", "[]"), "is empty")


def test_a_header_alone_is_told(write):
    refuses(write("x.csv", "id,text,label\n"), r"has a header \(id, text, label\) and no rows")


def test_no_text_column_lists_the_columns(write):
    refuses(write("x.csv", "a,b\n1,2\n"), "no text column that is recognised. Its columns: a, b. Name one with --text")
    refuses(write("y.csv", "text,b\n,2\n"), "text column 'text' is empty throughout")


def test_a_file_without_header_is_told(write):
    refuses(
        write("x.csv", "I love this movie so much,1\nnot at all,0\n"), "the first line .* looks like data. Add a header"
    )


def test_no_label_column_matters_only_where_labels_are_needed(write):
    data = read(write("x.csv", "text,other\na,b\n"))
    assert data.labels is None
    with pytest.raises(AssayError, match=r"x has no label column. Its columns: text, other. Name one with --label"):
        data.labelled()


def test_duplicate_ids_are_named_up_to_five(write):
    ids = "".join(f"{number},a\n" for number in list(range(7)) * 2)
    refuses(write("x.csv", "id,text\n" + ids), "duplicate ids in column 'id': 0, 1, 2, 3, 4 and 2 more")
    assert len(read(write("x.csv", "id,text\n" + ids), id="none")) == 14


def test_missing_ids_are_named_by_row(write):
    refuses(write("x.csv", "id,text\n1,a\n,b\n"), "no id in column 'id' in row 2")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("x.png", b"\x89PNG\r\n\x1a\n" + NOISE, "is a PNG image"),
        ("x.zip", b"PK\x03\x04" + NOISE, "is a zip archive or an Excel workbook"),
        ("x.csv", b"PK\x03\x04" + NOISE, "save the sheet as CSV"),
        ("x.csv", gzip.compress(GOOD.encode(), mtime=0), "is gzip data. Give its name the ending .gz"),
        ("x.csv", zstandard.compress(GOOD.encode()), "is zstd data"),
        ("x.exe", b"MZ\x90\x00" + NOISE, "is a program"),
        ("x.csv", NOISE, "is a binary file. Readable are .csv"),
        ("x.jsonl", NOISE, "is a binary file"),
        ("x.csv.gz", GOOD, "is not gzip data, though its name says so"),
        ("x.csv.gz", gzip.compress(NOISE, mtime=0), "is a binary file"),
        ("x.pkl", b"\x80\x04\x95" + NOISE, "pickle, which is never loaded"),
    ],
)
def test_a_binary_file_is_told(write, name, content, told):
    refuses(write(name, content), told)


def test_a_folder_with_nothing_readable_is_told(write, tmp_path):
    refuses(tmp_path, "holds nothing readable. Readable are .csv")
    write("README.md", "# Read me")
    refuses(tmp_path, "holds nothing readable")


def test_a_pipe_is_told_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.csv")
    refuses(tmp_path / "x.csv", "is a pipe or device, not a file")


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    (tmp_path / "x.csv").mkdir()
    refuses(tmp_path / "x.csv", "holds nothing readable")


def test_a_file_that_may_not_be_read_is_told(write, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    refuses(write("x.csv"), "cannot be read: Permission denied")


def test_labels_that_are_free_text_are_told(write):
    rows = "".join(f"t{i},this is a whole sentence with number {i}\n" for i in range(30))
    refuses(write("x.csv", "text,label\n" + rows), "label column 'label' is free text: 30 different values in 30 rows")
    assert read(write("x.csv", "text,label\n" + rows), label="none").labels is None


def test_graded_labels_may_all_differ(write):
    rows = "".join(f"a,b,{i / 7}\n" for i in range(30))
    assert len(read(write("x.csv", "sentence1,sentence2,score\n" + rows)).label_names) == 30


def test_mixed_types_become_text(write):
    data = read(
        write("x.jsonl", '{"text": "a", "label": 1}\n{"text": 2, "label": "x"}\n{"text": true, "label": 2.50}\n')
    )
    assert data.texts.to_list() == ["a", "2", "true"]
    assert data.labels.to_list()[:2] == ["1", "x"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"text": "a"}\n\n{"text": {"b": 1}}\n', r"column 'text' holds an object \(line 3\), not text"),
        ('{"text": null}\n{"text": ["a"]}\n', r"column 'text' holds a list \(line 2\), not text"),
        ('{"text": {"a": 1}}\n{"text": ["a"]}\n', r"column 'text' holds an object \(line 1\), not text"),
        ('{"text": "a"}\n{"text": \n', "line 2: not JSON: .* at column"),
        ('{"text": "a"}\n["b"]\n', "line 2: a list where an object"),
        ('{"text": "a"}\ntext\n', "line 2: not JSON"),
        ("1\n2\n", "line 1: a number where an object"),
    ],
)
def test_a_bad_json_line_is_named(write, content, told):
    refuses(write("x.jsonl", content), f"x.jsonl.*{told}")


def test_text_that_looks_like_json_is_text(write):
    data = read(write("x.jsonl", '{"text": "[deleted]"}\n{"text": "{\\"a\\": 1}"}\n'))
    assert data.texts.to_list() == ["[deleted]", '{"a": 1}']


def test_json_that_is_no_table_is_told(write):
    refuses(write("x.json", '{"version": 1, "data": []}'), "an object where an array of objects")
    refuses(write("x.json", '[{"text": "a"}, 3]'), "item 2: a number where an object")
    refuses(write("x.json", '[{"text": "a"'), "not JSON")


def test_bytes_and_lists_are_no_text():
    refuses(pl.DataFrame({"text": [b"a", b"b"]}), "column 'text' holds binary data, not text")
    refuses(pl.DataFrame({"text": [["a"], ["b"]]}), "column 'text' holds lists, not text")
    refuses([{"text": b"a"}], r"holds binary data \(item 1\), not text")


def test_a_million_columns_are_refused_at_once(write):
    header = ",".join(f"c{number}" for number in range(1_000_000))
    refuses(write("x.csv", f"{header}\n{header}\n"), "has 1,000,000 columns; at most 20,000 are read")


def test_an_endless_first_line_is_no_header(write):
    refuses(write("x.csv", b"x" * (17 << 20)), "first line is longer than 16 MB, which is no header")


@pytest.mark.slow
def test_a_line_of_200_mb_is_read_within_2_gb(write):
    path = write("x.csv", b"text,label\n" + b"x" * 200_000_000 + b",b\nshort,c\n")
    code = (
        "import resource, sys\nfrom assay.data import read\n"
        "print(read(sys.argv[1]).texts.str.len_bytes().to_list(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    lengths, _, kilobytes = done.stdout.rpartition(" ")
    assert lengths == "[200000000, 5]"
    assert int(kilobytes) < 2_000_000


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_packed_data_that_is_cut_off_is_told(write, share):
    content = NOISE.hex().encode()
    for name, packed in (("x.csv.gz", gzip.compress(content, mtime=0)), ("x.csv.zst", zstandard.compress(content))):
        refuses(write(name, packed[: int(len(packed) * share)]), f"{name} is cut off: its .* data stops after")


def test_packed_data_that_is_damaged_is_told(write):
    packed = bytearray(gzip.compress((GOOD * 100).encode()))
    packed[-6] ^= 0xFF  # the checksum
    refuses(write("x.csv.gz", bytes(packed)), "is damaged: its gzip data cannot be unpacked")
    packed = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress((GOOD * 100).encode()))
    packed[-1] ^= 0xFF
    refuses(write("x.csv.zst", bytes(packed)), "is damaged: its zstd data cannot be unpacked")


@pytest.mark.parametrize("name", ["x.csv.gz", "x.csv.zst"])
def test_a_bomb_is_stopped(write, monkeypatch, name):
    pack = gzip.compress if name.endswith("gz") else zstandard.compress
    path = write(name, pack(b"text\n" + b"a\n" * 1_000_000))
    assert len(read(path)) == 1_000_000
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e6")
    refuses(path, "unpacks to more than 1,000,000 bytes. Set ASSAY_MAX_BYTES")


def test_a_limit_that_is_no_number_is_told(write, monkeypatch):
    monkeypatch.setenv("ASSAY_MAX_BYTES", "much")
    refuses(write("x.csv.gz", gzip.compress(b"text\na\n", mtime=0)), "ASSAY_MAX_BYTES is 'much', not a number")


def test_a_parquet_bomb_is_stopped(tmp_path, monkeypatch):
    pl.DataFrame({"text": ["a" * 1000] * 100_000}).write_parquet(tmp_path / "x.parquet")
    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e5")
    refuses(tmp_path / "x.parquet", "unpacks to more than 100,000 bytes")


@pytest.mark.parametrize(("name", "kind"), [("x.parquet", "Parquet"), ("x.arrow", "Arrow"), ("x.feather", "Arrow")])
def test_a_damaged_table_is_told(write, tmp_path, name, kind):
    whole = tmp_path / "whole"
    frame = pl.DataFrame({"text": ["a", "b"] * 100})
    if kind == "Parquet":
        frame.write_parquet(whole)
    else:
        frame.write_ipc(whole)
    content = whole.read_bytes()
    for bad in (content[: len(content) // 2], content[:8] + NOISE, NOISE):
        refuses(write(name, bad), f"is damaged or no {kind} file")


def test_roles_that_make_no_sense_are_usage_errors(write):
    path = write("x.csv")
    for options, told in [
        ({"text": ["a", "b", "c"]}, "3 text columns"),
        ({"text": ["text", "text"]}, "is given twice"),
        ({"missing": "ignore"}, "No way 'ignore' with missing cells. Known: keep, drop, error"),
        ({"sample": 0}, "A sample of 0 rows"),
        ({"train": path}, "DATA and --train both name training data"),
        ({"encoding": "utf-9"}, "No encoding 'utf-9'"),
    ]:
        with pytest.raises(UsageError, match=told):
            read(path, **options)
    with pytest.raises(UsageError, match="No data: give DATA, or --train"):
        read()


def test_read_table_tells_the_same(write, tmp_path):
    write("folds.tsv")
    with pytest.raises(AssayError, match="Did you mean"):
        read_table(tmp_path / "fold.tsv")
    with pytest.raises(AssayError, match="line 2: 3 fields, the header has 2"):
        read_table(write("x.csv", "id,fold\n1,2,3\n"))


def test_other_objects_are_told():
    refuses(42, "Cannot read int: give a path")
    refuses({"text": ["a"], "label": ["b", "c"]}, "The columns differ in length: text 1, label 2")
    refuses([], "no rows")
