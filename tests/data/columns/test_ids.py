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


def test_ids_that_repeat_across_files_of_parts_say_so():
    parts = {"train": [{"id": "1", "text": "a"}], "test": [{"id": "1", "text": "b"}]}
    with pytest.raises(AssayError, match="duplicate ids in column 'id' in several parts: 1"):
        read(**parts)
    assert read(**parts, id="none").ids.to_list() == ["train-0", "test-0"]
