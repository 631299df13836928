"""Rows of one training, from parts and draws."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.kinds import read
from assay.models.row_splits import split_by_draw, split_by_parts
from assay.splits import SPLITS

TEXTS = [f"text {number}" for number in range(12)]
LABELS = ["a", "b"] * 5 + [None, "a"]


def make_data(parts: list[str] | None = None):
    columns = {"text": TEXTS, "label": LABELS}
    return read(columns if parts is None else {**columns, "split": parts})


def test_unlabelled_rows_are_not_learnt_but_predicted():
    split, notes = split_by_parts(make_data(["train"] * 4 + ["dev"] * 4 + ["test"] * 4))
    assert [split.train.tolist(), split.dev.tolist()] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert split.test.tolist() == [8, 9, 10, 11]
    assert notes == []
    split, _ = split_by_parts(make_data(["test"] * 4 + ["train"] * 8))
    assert 10 not in split.train
    assert not len(split.dev)


def test_parts_to_predict_can_be_named_and_must_exist():
    data = make_data(["train"] * 4 + ["dev"] * 4 + ["test"] * 4)
    assert split_by_parts(data, ["dev"])[0].test.tolist() == [4, 5, 6, 7]
    with pytest.raises(AssayError, match="no part 'other'"):
        split_by_parts(data, ["other"])


def test_every_fold_of_a_draw_is_tested_once():
    data = make_data().drop_unlabelled()
    draw = SPLITS["stratified"](n_splits=3, random_state=0).partition(data.texts.to_list(), data.labels.to_list())
    splits = split_by_draw(data, draw, repeat=4)
    assert [split.name for split in splits] == ["fold 1, repeat 4", "fold 2, repeat 4", "fold 3, repeat 4"]
    assert sorted(np.concatenate([split.test for split in splits]).tolist()) == list(range(11))
    assert all(not set(split.train) & set(split.test) for split in splits)
