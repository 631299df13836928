"""Ids are text and unique, or row numbers."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.kinds import read


def test_duplicate_ids_are_named_up_to_five():
    source = {"id": [*range(7)] * 2, "text": ["a"] * 14}
    with pytest.raises(AssayError, match=r"duplicate ids in column 'id': 0, 1, 2, 3, 4 and 2 more. Name a column"):
        read(source)
    assert len(read(source, id="none")) == 14


def test_missing_ids_are_named_by_row():
    with pytest.raises(AssayError, match=r"no id in column 'id' in row 2. Fill them, or use id= none for row numbers"):
        read({"id": ["1", ""], "text": ["a", "b"]})


def test_ids_that_restart_in_each_part_follow_the_name_of_the_part():
    parts = {"train": [{"id": "1", "text": "a"}, {"id": "2", "text": "c"}], "test": [{"id": "1", "text": "b"}]}
    data = read(**parts)
    assert data.ids.to_list() == ["train-1", "train-2", "test-1"]
    assert "ids of column 'id' restart in each part: the part is put before them, as in train-1" in data.notes
    column = {"id": ["1", "1"], "text": ["a", "b"], "split": ["train", "test"]}
    assert read(column).ids.to_list() == ["train-1", "test-1"]


def test_ids_that_repeat_within_a_part_are_an_error():
    rows = [{"id": "1", "text": "a"}, {"id": "1", "text": "b"}]
    with pytest.raises(AssayError, match="duplicate ids in column 'id': 1"):
        read(train=rows, test=[{"id": "1", "text": "c"}])
