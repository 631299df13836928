"""Data as people have it: queries, frames of other libraries, streams, object stores."""

from __future__ import annotations

import sqlite3

import pandas as pd
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError

ROWS = [{"text": f"text {i} is {'good' if i % 2 else 'bad'}", "label": "pos" if i % 2 else "neg"} for i in range(30)]
FINGERPRINT = assay.read(ROWS).fingerprint


@pytest.fixture
def frame():
    return pd.DataFrame(ROWS)


def test_a_duckdb_relation(frame):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    with duckdb.connect() as connection:
        connection.register("reviews", frame)
        assert assay.read(connection.sql("select * from reviews")).fingerprint == FINGERPRINT
        assert len(assay.read(connection.sql("select * from reviews where label = 'pos'"))) == 15


def test_the_result_of_a_sqlalchemy_query(frame):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        frame.to_sql("reviews", connection, index=False)
        result = connection.execute(sqlalchemy.text("select text, label from reviews"))
        assert assay.read(result).fingerprint == FINGERPRINT
    engine.dispose()


def test_a_cursor_of_the_database_api(frame):
    connection = sqlite3.connect(":memory:")
    try:
        frame.to_sql("reviews", connection, index=False)
        assert assay.read(connection.execute("select * from reviews")).fingerprint == FINGERPRINT
    finally:
        connection.close()


@pytest.mark.parametrize("lazy", [False, True])
def test_a_frame_of_narwhals(frame, lazy):
    narwhals = pytest.importorskip("narwhals", reason="narwhals is not installed")
    source = narwhals.from_native(pl.from_pandas(frame).lazy() if lazy else frame)
    assert assay.read(source).fingerprint == FINGERPRINT


def test_a_stream_of_datasets_is_read_as_the_whole_dataset(frame):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    names = datasets.ClassLabel(names=["neg", "pos"])
    whole = datasets.Dataset.from_pandas(frame).cast_column("label", names)
    stream = whole.to_iterable_dataset()
    assert assay.read(stream).fingerprint == assay.read(whole).fingerprint == FINGERPRINT
    parts = datasets.IterableDatasetDict({"train": stream, "test": stream})
    assert assay.read(parts).part_names == ["train", "test"]


@pytest.fixture
def store(frame):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    files = fsspec.filesystem("memory")
    for name, rows in (("train", frame[:20]), ("test", frame[20:])):
        with files.open(f"/bucket/{name}.csv", "w") as file:
            file.write(rows.to_csv(index=False))
    yield "memory://bucket"
    files.rm("/bucket", recursive=True)


def test_a_file_a_folder_and_a_glob_of_an_object_store(store):
    assert len(assay.read(f"{store}/train.csv")) == 20
    assert assay.read(store).part_names == ["train", "test"]
    assert len(assay.read(f"{store}/*.csv")) == 30
    assert assay.read(f"{store}/train.csv").source is None  # the temporary copy is gone


def test_what_is_not_in_an_object_store_is_named(store):
    with pytest.raises(AssayError, match=r"memory://bucket/dev\.csv: there is no such file or folder"):
        assay.read(f"{store}/dev.csv")
    with pytest.raises(AssayError, match="no file matches"):
        assay.read(f"{store}/*.parquet")
    with pytest.raises(AssayError, match="cannot be read"):
        assay.read("nosuchstore://bucket/train.csv")
