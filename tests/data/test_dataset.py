"""A dataset is immutable, cheap to cut, and known by its content."""

from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.data import Dataset
from assay.kinds import read

DATA = {"text": list("abcdef"), "label": list("xxyyxy"), "split": ["train"] * 4 + ["test"] * 2}


def test_it_cannot_be_changed():
    data = read(DATA)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"


@pytest.mark.parametrize(
    "rows",
    [[4, 0], np.array([4, 0]), pl.Series([4, 0]), (4, 0), np.array([4, 0], dtype=np.uint8), [-2, 0]],
    ids=lambda rows: type(rows).__name__,
)
def test_rows_are_taken_in_the_order_of_their_numbers(rows):
    taken = read(DATA).take(rows)
    assert taken.texts.to_list() == ["e", "a"]
    assert taken.ids.to_list() == ["4", "0"]
    assert taken.frame["label"].to_list() == taken.labels.to_list() == ["x", "x"]
    assert taken.take([1]).column("text").to_list() == ["a"]


def test_rows_are_taken_by_mask():
    data = read(DATA)
    mask = data.labels == "y"
    assert data.take(mask).texts.to_list() == data.take(mask.to_numpy()).texts.to_list() == ["c", "d", "f"]
    assert len(data.take([])) == 0
    with pytest.raises(AssayError, match="The mask has 1 values for 6 rows"):
        data.take([True])
    with pytest.raises(AssayError, match="Row 6 is not among 6 rows"):
        data.take([0, 6])


def test_fields_are_taken_with_their_rows_and_are_part_of_the_fingerprint():
    data = read(DATA)
    choices = pl.Series([[letter, "z"] for letter in "abcdef"])
    wider = dataclasses.replace(
        data, fields={"choices": choices}, attachments={"documents": pl.DataFrame({"id": ["1"]})}
    )
    assert wider.take([5, 0]).fields["choices"].to_list() == [["f", "z"], ["a", "z"]]
    assert wider.take([5]).attachments["documents"].rows() == [("1",)]
    assert wider.to_frame()["choices"].to_list() == choices.to_list()
    other = dataclasses.replace(wider, fields={"choices": pl.Series([[letter, "y"] for letter in "abcdef"])})
    regrouped = dataclasses.replace(
        wider, fields={"choices": pl.Series([["a", "z", "b"], ["z"], *choices.to_list()[2:]])}
    )
    assert len({each.fingerprint for each in (data, wider, other, regrouped)}) == 4


def test_parts_are_taken_by_name():
    data = read(DATA)
    assert data.part("test").texts.to_list() == ["e", "f"]
    with pytest.raises(AssayError, match=r"data: there is no part 'dev'. Its parts: train, test"):
        data.part("dev")
    with pytest.raises(AssayError, match=r"the data has no parts. Name the column of parts with split="):
        read(["a"]).part("train")


def test_part_names_come_in_their_usual_order():
    names = ["unused", "test", "extra", "train"]
    assert read({"text": names, "split": names}).part_names == ["train", "test", "extra", "unused"]


def test_a_missing_column_lists_those_that_are_there():
    with pytest.raises(AssayError, match=r"data: there is no column 'x'. Its columns: text, label, split"):
        read(DATA).column("x")


def test_labels_are_needed_only_where_they_are_used():
    data = read({"text": ["a"], "other": ["b"]})
    assert data.labels is None
    with pytest.raises(
        AssayError, match=r"data: there is no label column. Its columns: text, other. Name one with label="
    ):
        data.drop_unlabelled()


def test_its_representation_is_one_short_line():
    data = read(DATA)
    assert repr(data) == "Dataset 'data': 6 items, classification, 2 labels, 4 train, 2 test"
    assert repr(read({"text_a": ["a"], "text_b": ["b"]})) == "Dataset 'data': 1 item, pairs"
    assert "<table" in data._repr_html_()
    assert "&lt;b&gt;" in read(["<b>"])._repr_html_()


def test_a_dataset_can_be_made_by_hand():
    data = Dataset("own", ids=pl.Series(["x"]), sides=(pl.Series(["a"]), pl.Series(["b"])), task="pairs")
    assert data.to_frame().rows() == [("x", "a", "b")]
    assert data.texts.to_list() == ["a\nb"]


def test_the_fingerprint_covers_content_and_nothing_else(tmp_path):
    base = read(DATA).fingerprint
    pl.DataFrame(DATA).with_columns(other=pl.lit("z")).write_csv(tmp_path / "elsewhere.csv")
    assert read(tmp_path / "elsewhere.csv").fingerprint == base
    for role, value in [("text", "g"), ("label", "z"), ("split", "dev")]:
        changed = {**DATA, role: [*DATA[role][:-1], value]}
        assert read(changed).fingerprint != base
    assert read({**DATA, "id": range(6)}).fingerprint != base
    assert read(DATA).take([1, 0, 2, 3, 4, 5]).fingerprint != base
    assert read(DATA).take(range(6)).fingerprint == base


def test_the_fingerprint_is_that_of_the_first_version():
    assert read(DATA).fingerprint == "2b1dcaee529e1b7ce357eddac3137d95078ea8280933e1597975b4e7bec30d73"


def test_the_fingerprint_does_not_run_cells_together():
    first, second = read(["ab", "c"]).fingerprint, read(["a", "bc"]).fingerprint
    assert first != second
    assert read({"text": ["a", "b"], "label": ["x", None]}).fingerprint != read({"text": ["a", "b"]}).fingerprint


def test_the_fingerprint_does_not_depend_on_chunks():
    texts = pl.Series("text", [str(i) * (i % 7) + "x" for i in range(200_000)])
    chunked = pl.concat([texts.slice(start, 999) for start in range(0, 200_000, 999)], rechunk=False)
    assert read(texts.to_frame()).fingerprint == read(chunked.to_frame()).fingerprint
