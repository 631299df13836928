"""Folders, globs and files of parts."""

from __future__ import annotations

import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.data import read_table
from assay.kinds import read


@pytest.fixture
def put(tmp_path):
    def put(name, n=2, **columns):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame({"text": [f"{name} {row}" for row in range(n)], "label": ["a"] * n, **columns})
        frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)
        return path

    return put


def test_shards_of_a_folder_come_in_order_of_their_names(put, tmp_path):
    for name in ("b.csv", "a.csv", "c.csv"):
        put(name, n=1)
    assert read(tmp_path).texts.to_list() == ["a.csv 0", "b.csv 0", "c.csv 0"]
    assert read(tmp_path).parts is None
    assert read(str(tmp_path / "[ab].csv")).texts.to_list() == ["a.csv 0", "b.csv 0"]
    assert len(read_table(tmp_path)) == 3


def test_names_of_shards_give_their_parts(put, tmp_path):
    for name in ("train-00001-of-00002", "train-00000-of-00002", "test-00000-of-00001", "validation-00000-of-00001"):
        put(f"{name}.parquet", n=1)
    data = read(tmp_path)
    assert data.parts.to_list() == ["train", "train", "dev", "test"]
    assert data.ids.to_list() == ["train-0", "train-1", "dev-0", "test-0"]
    assert data.texts.to_list()[0] == "train-00000-of-00002.parquet 0"
    assert data.notes[1].endswith("2 train, 1 dev, 1 test")
    assert read(tmp_path / "*.parquet").fingerprint == data.fingerprint


@pytest.mark.parametrize("dev", ["validation", "valid", "val", "dev", "reviews_dev", "reviews.dev", "dev_matched"])
def test_all_names_of_dev_are_known(put, tmp_path, dev):
    put("train.csv")
    put(f"{dev}.csv")
    assert read(tmp_path).part_names == ["train", "dev"]


def test_files_that_mention_no_part_are_skipped_next_to_those_that_do(put, tmp_path):
    for name in ("train.csv", "test.csv", "testimonials.csv"):
        put(name)
    data = read(tmp_path)
    assert "skipped, as their names mention no part: testimonials.csv" in data.notes
    assert len(data) == 4


def test_folders_of_parts_are_read(put, tmp_path):
    put("train/x.csv")
    put("test/x.csv", n=1)
    assert read(tmp_path).notes[1].endswith("2 train, 1 test")


def test_a_clone_of_the_hub_is_read(put, tmp_path):
    put("data/train-00000-of-00001.parquet")
    (tmp_path / "README.md").write_text("card")
    assert read(tmp_path).part_names == ["train"]


def test_files_may_be_named_by_part(put):
    train, test = put("a.csv"), put("b.csv", n=1)
    data = read(train=train, test=test)
    assert data.parts.to_list() == ["train", "train", "test"]
    assert read(train, test=test).fingerprint == data.fingerprint
    assert read(train=[{"text": "x"}], dev=[{"text": "y"}]).parts.to_list() == ["train", "dev"]


def test_a_part_without_labels_is_unlabelled(put):
    data = read(train=put("a.csv"), test=[{"text": "x"}])
    assert data.labels.to_list() == ["a", "a", None]


def test_ids_that_repeat_across_parts_follow_their_part(put):
    train, test = put("a.csv", id=["1", "2"]), put("b.csv", id=["2", "3"])
    assert read(train=train, test=test).ids.to_list() == ["train-1", "train-2", "test-2", "test-3"]
    assert read(train=train, test=test, id="none").ids.to_list() == ["train-0", "train-1", "test-0", "test-1"]


def test_shards_must_have_the_same_columns(put, tmp_path):
    put("a.csv")
    put("b.csv", extra=["x", "y"])
    with pytest.raises(AssayError, match=r"b.csv: its columns differ from those of a.csv \(extra\)"):
        read(tmp_path)


def test_a_folder_of_several_formats_is_an_error(put, tmp_path):
    put("a.csv")
    put("b.parquet")
    with pytest.raises(AssayError, match=r"the files have several formats \(.csv, .parquet\). Name one"):
        read(tmp_path)


def test_a_sample_is_drawn_with_its_seed_and_keeps_order_and_ids(put):
    data = put("a.csv", n=100)
    first, again, other = (read(data, sample=10, random_state=seed) for seed in (0, 0, 1))
    assert first.ids.to_list() == again.ids.to_list() != other.ids.to_list()
    assert first.ids.cast(pl.Int64).is_sorted()
    assert "a sample of 10 of 100 rows (seed 0)" in first.notes
    assert len(read(data, sample=1000)) == 100


def test_empty_shards_are_skipped_unless_all_are(put, tmp_path):
    put("a.csv")
    (tmp_path / "b.csv").write_text("text,label\n")
    (tmp_path / "c.csv").write_text("")
    data = read(tmp_path)
    assert len(data) == 2
    assert "skipped, as they have no rows: b.csv, c.csv" in data.notes
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(AssayError, match=r"c\.csv: the file is empty"):
        read(tmp_path)


def test_two_names_of_one_part_are_put_together(put, tmp_path):
    for name in ("train", "validation_matched", "validation_mismatched"):
        put(f"{name}.csv", n=1)
    assert read(tmp_path).ids.to_list() == ["train-0", "dev-0", "dev-1"]
