"""Several sources are the parts of one benchmark."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import assay
from assay.base.errors import AssayError, MissingFileError

FRAMES = {
    "train": {"text": ["one", "two"], "label": ["a", "b"]},
    "validation": {"text": ["three"], "label": ["a"]},
    "test": {"text": ["four"], "label": ["b"]},
}


@pytest.fixture
def files(tmp_path):
    for name, columns in FRAMES.items():
        pl.DataFrame(columns).write_csv(tmp_path / f"{name}.csv")
    return [tmp_path / f"{name}.csv" for name in FRAMES]


def list_rows(data):
    return list(zip(data.texts, data.labels, data.parts, strict=True))


def test_a_list_of_files_and_a_dictionary_of_frames_are_the_same_parts(files, tmp_path):
    expected = list_rows(assay.read(train=files[0], dev=files[1], test=files[2]))
    assert list_rows(assay.read(files)) == expected
    assert list_rows(assay.read([str(path) for path in files])) == expected
    assert list_rows(assay.read({name: pl.DataFrame(columns) for name, columns in FRAMES.items()})) == expected
    assert list_rows(assay.read({name: pd.DataFrame(columns) for name, columns in FRAMES.items()})) == expected
    assert list_rows(assay.read(tmp_path)) == expected


def test_files_without_parts_are_shards(tmp_path):
    for name in ("one", "two"):
        pl.DataFrame(FRAMES["train"]).write_csv(tmp_path / f"{name}.csv")
    data = assay.read([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert (len(data), data.parts) == (4, None)


def test_a_file_without_a_part_among_others_is_an_error(files, tmp_path):
    pl.DataFrame(FRAMES["train"]).write_csv(tmp_path / "more.csv")
    with pytest.raises(AssayError, match=r"more\.csv: the name mentions no part"):
        assay.read([*files, tmp_path / "more.csv"])


def test_a_missing_file_is_named_and_texts_are_not_files(files):
    with pytest.raises(MissingFileError, match=r"tset\.csv"):
        assay.read([str(files[0]), "tset.csv"])
    assert assay.read(["a good film", "a bad film"]).texts.to_list() == ["a good film", "a bad film"]


def test_an_index_named_id_is_the_id():
    frame = pd.DataFrame({"text": ["one", "two"], "label": ["a", "b"]}, index=pd.Index(["x", "y"], name="id"))
    assert assay.read(frame).ids.to_list() == ["x", "y"]
    assert assay.read(frame.rename_axis(None)).ids.to_list() == ["0", "1"]


def test_files_of_a_kind_of_task_are_parts_too(tmp_path):
    for name in ("train", "test"):
        (tmp_path / f"{name}.conll").write_text("Ann B-PER\nsleeps O\n\nin O\nRome B-LOC\n")
    data = assay.read([tmp_path / "train.conll", str(tmp_path / "test.conll")])
    assert (data.task, data.part_names, len(data)) == ("tagging", ["train", "test"], 4)
