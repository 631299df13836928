"""Every format gives the same data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from assay.base.errors import AssayError
from assay.data import read_table
from assay.kinds import read

ROWS = [
    {"id": "a1", "text": 'He said "no", then\nleft.', "label": "1", "split": "train"},
    {"id": "a2", "text": "naïve 雨 🙂\ttab", "label": "0", "split": "test"},
    {"id": "a3", "text": " spaces ", "label": "1", "split": "train"},
]
FRAME = pl.DataFrame(ROWS)


def packed(path: Path, content: bytes) -> Path:
    pack = {".gz": gzip.compress, ".zst": zstandard.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(content))
    return path


def arrow_stream(frame: pl.DataFrame) -> bytes:
    sink = pa.BufferOutputStream()
    table = frame.to_arrow()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def as_bytes(frame: pl.DataFrame, kind: str) -> bytes:
    import io

    sink = io.BytesIO()
    if kind == "csv":
        frame.write_csv(sink)
    elif kind == "tsv":
        frame.write_csv(sink, separator="\t")
    elif kind == "jsonl":
        frame.write_ndjson(sink)
    elif kind == "json":
        return json.dumps(frame.to_dicts(), indent=1).encode()
    elif kind == "parquet":
        frame.write_parquet(sink)
    elif kind == "arrow":
        return arrow_stream(frame)
    elif kind == "feather":
        frame.write_ipc(sink)
    return sink.getvalue()


@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "parquet", "arrow", "feather"])
def test_every_format_gives_the_same_rows_and_fingerprint(tmp_path, kind, packing):
    data = read(packed(tmp_path / f"x.{kind}{packing}", as_bytes(FRAME, kind)))
    assert data.to_frame().rename({"part": "split"}).to_dicts() == ROWS
    assert data.fingerprint == read(ROWS).fingerprint
    assert data.name == "x"


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1).filter(str.strip),
        min_size=1,
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_any_text_survives_csv_json_and_parquet(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("any")
    frame = pl.DataFrame({"text": texts, "label": ["l"] * len(texts)})
    for kind in ("csv", "jsonl", "parquet"):
        path = packed(folder / f"x.{kind}", as_bytes(frame, kind))
        assert read(path).texts.to_list() == texts


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip), min_size=1))
@settings(max_examples=60, deadline=None)
def test_any_text_without_tabs_and_breaks_survives_unquoted_tsv(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("any") / "x.tsv"
    path.write_text("text\tlabel\n" + "".join(f"{text}\tl\n" for text in texts), encoding="utf-8")
    assert read(path, quoting="none").texts.to_list() == texts


def test_a_name_without_ending_is_recognised_by_its_content(tmp_path):
    for kind in ("csv", "tsv", "jsonl", "parquet", "feather", "arrow"):
        path = packed(tmp_path / f"{kind}_data", as_bytes(FRAME, kind))
        assert read(path, quoting="double").ids.to_list() == ["a1", "a2", "a3"]


def test_an_object_of_columns_is_read(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"text": ["a", "b"], "label": [1, 0]}')
    assert read(path).labels.to_list() == ["1", "0"]


def test_packed_members_are_read_one_after_the_other(tmp_path):
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"text,label\n") + gzip.compress(b"a,b\n") + bytes(512))
    assert read(path).texts.to_list() == ["a"]
    path = tmp_path / "x.csv.zst"
    path.write_bytes(zstandard.compress(b"text,label\n") + zstandard.compress(b"a,b\n"))
    assert read(path).texts.to_list() == ["a"]


def test_read_table_gives_text_columns_only(tmp_path):
    path = tmp_path / "x.parquet"
    pl.DataFrame({"id": [1, 2], "score": [1.0, None], "ok": [True, False], "tags": [["a"], None]}).write_parquet(path)
    frame = read_table(path)
    assert set(frame.dtypes) == {pl.String}
    assert frame.rows() == [("1", "1.0", "true", '["a"]'), ("2", None, "false", None)]


def test_typed_labels_read_as_they_do_from_csv(tmp_path):
    frame = pl.DataFrame({"text": ["a", "b", "c"], "label": [0, 1, 2], "when": [None, "2020-01-02", "2020-01-03"]})
    frame = frame.with_columns(pl.col("when").str.to_date())
    for kind in ("csv", "jsonl", "parquet", "arrow"):
        found = read(packed(tmp_path / f"x.{kind}", as_bytes(frame, kind)), time="when")
        assert found.labels.to_list() == ["0", "1", "2"]
        assert found.times.to_list() == [None, "2020-01-02", "2020-01-03"]


def test_categories_and_times_become_text():
    frame = pl.DataFrame({"text": ["a", "b"], "label": ["x", "y"], "date": ["2020-01-02 03:04:05", None]})
    typed = frame.with_columns(pl.col("label").cast(pl.Categorical), pl.col("date").str.to_datetime())
    assert read(typed).to_frame().rows() == read(frame).to_frame().with_columns(time=pl.Series(frame["date"])).rows()


def test_nul_bytes_inside_a_text_are_kept(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"text,label\na\x00b,c\nd,e\n")
    assert read(tmp_path / "x.csv").texts.to_list() == ["a\x00b", "d"]


def test_half_characters_are_replaced(tmp_path):
    (tmp_path / "x.jsonl").write_text('{"text": "a\\ud800b"}\n{"text": "\\ud83d\\ude42"}\n')
    assert read(tmp_path / "x.jsonl").texts.to_list() == ["a\ufffdb", "🙂"]
    assert read(["a\ud800b"]).texts.to_list() == ["a\ufffdb"]


def test_columns_without_a_text_play_no_role(tmp_path):
    columns = {
        "text": ["a", "b"],
        "label": pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array(["x"])),
        "union": pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
        "wide": pa.array([1, 2], pa.decimal256(50, 2)),
        "took": pa.array([1, 2], pa.duration("s")),
    }
    table = pa.table(columns)
    with pa.ipc.new_file(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    data = read(tmp_path / "x.arrow")
    assert data.texts.to_list() == ["a", "b"]
    assert data.labels is None
    assert data.column("took").to_list() == ["PT1S", "PT2S"]
    with pytest.raises(AssayError, match="column 'label' holds values of type run_end_encoded"):
        read(tmp_path / "x.arrow", label="label")


def test_metadata_that_is_not_utf_8_is_ignored(tmp_path):
    table = pa.table({"text": ["a"]}, metadata={b"\xb7": b"\xaf"})
    parquet.write_table(table, tmp_path / "x.parquet")
    assert read(tmp_path / "x.parquet").texts.to_list() == ["a"]


def test_lists_in_json_lines_stay_json(tmp_path):
    """Backslashes and quotes inside a list are escaped, so that it can be read again."""
    path = tmp_path / "lists.jsonl"
    options = ["\\Delta D", 'a "word"', "two\nlines"]
    path.write_text(json.dumps({"text": "x", "options": options}) + "\n", encoding="utf-8")
    assert json.loads(read_table(path)["options"][0]) == options
