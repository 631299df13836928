"""Corpora as files: every format and layout gives the same result."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest
import zstandard

from assay import find_contamination
from assay.base.errors import AssayError
from assay.contamination.documents import list_files, read_blocks

ITEMS = [
    "Which treaty ended the long war between the two northern kingdoms",
    "How many eggs does the farmer sell at the market on Saturday",
    "Name the painter who lived in the yellow house near the harbour",
]
DOCUMENTS = [
    "Some first text about nothing.",
    f"A quiz.\n{ITEMS[1].replace(' ', chr(10))}? Twelve.",
    "Another text\nover two lines.",
    f"Before. {ITEMS[0].upper()}! After.",
    f"Again: {ITEMS[1]}.",
]


def texts_of(path):
    return [
        bytes(block.data[start:end]).decode()
        for block in read_blocks(path)
        for start, end in zip(block.starts, block.ends, strict=True)
    ]


def write_text(path, texts):
    path.write_text("\n\n".join(texts), encoding="utf-8")


def write_gzip(path, texts):
    path.write_bytes(gzip.compress("\n \r\n\n".join(texts).encode()))


def write_zstd(path, texts):
    halves = ("\n\n".join(texts[:1]), "\n\n" + "\n\n".join(texts[1:]))
    path.write_bytes(b"".join(zstandard.compress(half.encode()) for half in halves))


def write_json_lines(path, texts):
    path.write_text("".join(json.dumps({"n": 1, "text": text}) + "\n" for text in texts), encoding="utf-8")


def write_json_array(path, texts):
    path.write_text(json.dumps([{"turns": [{"content": text}]} for text in texts]), encoding="utf-8")


def write_parquet(path, texts):
    pl.DataFrame({"n": range(len(texts)), "text": texts}).write_parquet(path)


def write_csv(path, texts):
    pl.DataFrame({"text": texts}).write_csv(path, include_header=False)


WRITERS = {
    "a.txt": write_text,
    "a.txt.gz": write_gzip,
    "a.txt.zst": write_zstd,
    "a.jsonl": write_json_lines,
    "a.json": write_json_array,
    "a.parquet": write_parquet,
    "a.csv": write_csv,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_documents(name, tmp_path):
    WRITERS[name](tmp_path / name, DOCUMENTS)
    assert texts_of(tmp_path / name) == DOCUMENTS


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("cuts", [[], [2], [1, 2, 3, 4]])
def test_every_layout_gives_the_same_result(name, cuts, tmp_path):
    memory = find_contamination({"text": ITEMS}, pl.Series(DOCUMENTS))
    rows = []
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(DOCUMENTS)], strict=True)):
        WRITERS[name](tmp_path / f"{number}-{name}", DOCUMENTS[start:end])
        rows += [(str(tmp_path / f"{number}-{name}"), row) for row in range(end - start)]
    result = find_contamination({"text": ITEMS}, tmp_path)
    assert [(hit.id, hit.score) for hit in result.hits] == [(hit.id, hit.score) for hit in memory.hits]
    assert [(hit.file, hit.row) for hit in result.hits] == [rows[hit.row] for hit in memory.hits]
    assert (result.documents, result.bytes, result.share) == (memory.documents, memory.bytes, memory.share)


def test_processes_and_the_cache_change_nothing(tmp_path):
    for number, text in enumerate(DOCUMENTS):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    plain = find_contamination({"text": ITEMS}, tmp_path)
    options = {"n_jobs": 2, "backend": "threads", "cache": tmp_path / ".cache"}
    assert find_contamination({"text": ITEMS}, tmp_path, **options) == plain
    assert find_contamination({"text": ITEMS}, tmp_path, **options) == plain
    (tmp_path / "1.txt").write_text("now there is nothing here", encoding="utf-8")
    changed = find_contamination({"text": ITEMS}, tmp_path, **options)
    assert {hit.file for hit in changed.hits} == {str(tmp_path / "3.txt"), str(tmp_path / "4.txt")}


def test_paragraphs_survive_the_border_of_a_block(tmp_path, monkeypatch):
    write_text(tmp_path / "a.txt", DOCUMENTS)
    for size in range(1, 40):
        monkeypatch.setattr("assay.contamination.documents.BLOCK_BYTES", size)
        assert texts_of(tmp_path / "a.txt") == DOCUMENTS


def test_folders_globs_and_lists_name_files_once(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("b.txt", "a.jsonl", "deep/c.parquet", "deep/image.png", ".hidden.txt"):
        (tmp_path / name).touch()
    names = [file.relative_to(tmp_path).as_posix() for file in list_files([tmp_path])]
    assert names == ["a.jsonl", "b.txt", "deep/c.parquet"]
    assert list_files([f"{tmp_path}/*.txt", tmp_path / "b.txt"]) == [tmp_path / "b.txt"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt.gz", b"\x1f\x8b\x08 not gzip", "damaged"),
        ("a.txt.gz", gzip.compress(b"some text " * 99, mtime=0)[:-9], "damaged"),
        ("a.txt.zst", b"no zstd", "damaged"),
        ("a.jsonl", b'{"text": "fine"}\n{"text": ', "line 2: not JSON"),
        ("a.parquet", b"no parquet", "no Parquet"),
        ("a.txt", b"\x00\x01\x02", "binary"),
    ],
)
def test_damage_is_one_line(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AssayError, match=message) as error:
        find_contamination({"text": ITEMS}, tmp_path / name)
    assert name in str(error.value)


@pytest.mark.parametrize("name", ["c.jsonl.gz", "c.jsonl.zst"])
def test_a_bomb_is_refused(name, tmp_path):
    block = (b" " * 1_000 + b"\n") * 13_000
    content = gzip.compress(block) if name.endswith(".gz") else zstandard.compress(block)
    (tmp_path / name).write_bytes(content * 8)
    with pytest.raises(AssayError, match=r"c\.jsonl\.\w+: the content unpacks to more than 250 times its size"):
        list(read_blocks(tmp_path / name))


def test_missing_files_are_named(tmp_path):
    for source in (tmp_path / "none.txt", f"{tmp_path}/*.txt", tmp_path):
        with pytest.raises(AssayError, match=str(tmp_path)):
            find_contamination({"text": ITEMS}, source)
    with pytest.raises(AssayError, match="corpus"):
        find_contamination({"text": ITEMS}, [])


def test_many_files_are_merged_batch_by_batch(tmp_path, monkeypatch):
    for number in range(7):
        (tmp_path / f"{number}.txt").write_text(DOCUMENTS[number % 5], encoding="utf-8")
    whole = find_contamination({"text": ITEMS}, tmp_path)
    monkeypatch.setattr("assay.contamination.shards.MAX_SINGLE_FILES", 2)
    monkeypatch.setattr("assay.tasks.merging.FAN_IN", 2)
    assert find_contamination({"text": ITEMS}, tmp_path) == whole
    assert (whole.documents, whole.contaminated) == (7, 2)


def test_parquet_columns_are_joined_like_nested_ones(tmp_path):
    rows = {"a": ["One", None, "", None], "n": [1, 2, 3, 4], "b": ["two", "Three", None, None]}
    pl.DataFrame(rows).write_parquet(tmp_path / "flat.parquet")
    pl.DataFrame(rows | {"list": [["x"], [], [], []]}).write_parquet(tmp_path / "nested.parquet")
    texts = {}
    for name in ("flat", "nested"):
        texts[name] = [
            bytes(block.data[start:end])
            for block in read_blocks(tmp_path / f"{name}.parquet")
            for start, end in zip(block.starts, block.ends, strict=True)
        ]
    assert texts["flat"] == [b"One\ntwo", b"Three", b"", b""]
    assert texts["nested"] == [b"One\ntwo\nx", *texts["flat"][1:]]


def test_a_corpus_whose_rows_do_not_fit_into_memory_is_refused(tmp_path, monkeypatch):
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    monkeypatch.setenv("ASSAY_MAX_BYTES", "1e7")
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1000, np.int32)), pa.array(["x" * 1_000_000]))
    lists = pa.ListArray.from_arrays(pa.array([0, 1000], pa.int32()), text)
    parquet.write_table(pa.table({"text": text}), tmp_path / "a.parquet", compression="zstd")
    parquet.write_table(pa.table({"text": lists}), tmp_path / "b.parquet", compression="zstd")
    assert sum(len(block.starts) for block in read_blocks(tmp_path / "a.parquet")) == 1000  # a few rows at a time
    with pytest.raises(AssayError, match="the content decodes to more than 10,000,000 bytes"):
        list(read_blocks(tmp_path / "b.parquet"))


@pytest.mark.parametrize("name", ["corpus.csv.zst", "corpus.csv.gz", "corpus.jsonl.zst"])
def test_a_file_that_is_not_compressed_as_its_name_says_is_an_error(tmp_path, name):
    (tmp_path / name).write_bytes(b"id,text\n1,plain text\n")
    with pytest.raises(AssayError, match="the file is damaged"):
        texts_of(tmp_path / name)
