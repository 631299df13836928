"""A dataset is immutable, cheap to cut, and known by its content."""

from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.base.errors import AssayError
from assay.data import read

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
def test_rows_are_taken_in_the_order_given(rows):
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
    with pytest.raises(AssayError, match="A mask of 1 for 6 rows"):
        data.take([True])
    with pytest.raises(AssayError, match="Row 6 is not among 6 rows"):
        data.take([0, 6])


def test_parts_are_taken_by_name():
    data = read(DATA)
    assert data.part("test").texts.to_list() == ["e", "f"]
    with pytest.raises(AssayError, match=r"has no part 'dev'. Its parts: train, test"):
        data.part("dev")
    with pytest.raises(AssayError, match=r"has no parts. Name the column with --split"):
        read(["a"]).part("train")


def test_a_column_that_is_not_there_lists_those_that_are():
    with pytest.raises(AssayError, match=r"dict has no column 'x'. Its columns: text, label, split"):
        read(DATA).column("x")


def test_it_shows_itself():
    data = read(DATA)
    assert repr(data) == "Dataset 'dict': 6 rows, single text, 2 labels, 4 train, 2 test"
    assert "<table" in data._repr_html_()
    assert "&lt;b&gt;" in read(["<b>"])._repr_html_()


@pytest.mark.parametrize(
    ("splits", "train", "test", "told"),
    [
        (["train", "dev", "test"], "a", "c", None),
        (["train", "dev", "dev"], "a", "b", "no test part: dev stands for it"),
        (["dev", "dev", "test"], "a", "c", "no train part: dev stands for it"),
        (["train", "test", "unused"], "a", "b", None),
    ],
)
def test_train_and_test_are_what_the_parts_say(splits, train, test, told):
    first, second, note = read({"text": ["a", "b", "c"], "split": splits}).train_and_test()
    assert (first.texts[0], second.texts[0]) == (train, test)
    assert note is None if told is None else told in note


@pytest.mark.parametrize("split", [None, "train", "dev", "other"])
def test_without_two_parts_a_stratified_cut_is_drawn(split):
    source = {"text": [str(i) for i in range(100)], "label": ["a"] * 60 + ["b"] * 40}
    data = read({**source, **({"split": [split] * 100} if split else {})})
    train, test, note = data.train_and_test(random_state=3)
    assert sorted(train.ids.to_list() + test.ids.to_list()) == sorted(data.ids.to_list())
    assert test.labels.to_list().count("a") == 12
    assert len(test) == 20
    assert "a stratified cut of 80 to 20 (seed 3)" in note
    assert data.train_and_test(random_state=3)[1].fingerprint == test.fingerprint
    assert data.train_and_test(random_state=4)[1].fingerprint != test.fingerprint


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=60), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_every_label_gives_its_fifth_to_one_row(labels, seed):
    data = read(pl.DataFrame({"text": ["t"] * len(labels), "label": labels}, schema={"text": str, "label": str}))
    train, test, _ = data.train_and_test(random_state=seed)
    assert len(train)
    assert len(test)
    for label in set(labels) - {None}:
        assert abs(test.labels.to_list().count(label) - labels.count(label) / 5) < 1


def test_one_row_cannot_be_cut():
    with pytest.raises(AssayError, match="has 1 row: too few to cut"):
        read(["a"]).train_and_test()


def test_the_fingerprint_sees_content_and_nothing_else(tmp_path):
    base = read(DATA).fingerprint
    pl.DataFrame(DATA).with_columns(other=pl.lit("z")).write_csv(tmp_path / "elsewhere.csv")
    assert read(tmp_path / "elsewhere.csv").fingerprint == base
    for role, value in [("text", "g"), ("label", "z"), ("split", "dev")]:
        changed = {**DATA, role: [*DATA[role][:-1], value]}
        assert read(changed).fingerprint != base
    assert read({**DATA, "id": range(6)}).fingerprint != base
    assert read(DATA).take([1, 0, 2, 3, 4, 5]).fingerprint != base
    assert read(DATA).take(range(6)).fingerprint == base


def test_the_fingerprint_does_not_run_cells_together():
    first, second = read(["ab", "c"]).fingerprint, read(["a", "bc"]).fingerprint
    assert first != second
    assert read({"text": ["a", "b"], "label": ["x", None]}).fingerprint != read({"text": ["a", "b"]}).fingerprint


def test_the_fingerprint_does_not_depend_on_chunks():
    texts = pl.Series("text", [str(i) * (i % 7) + "x" for i in range(200_000)])
    chunked = pl.concat([texts.slice(start, 999) for start in range(0, 200_000, 999)], rechunk=False)
    assert read(texts.to_frame()).fingerprint == read(chunked.to_frame()).fingerprint
