"""Ids, parts, times and groups are found by the usual names, or as the user names them."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.data.columns.names import ID_NAMES, TIME_NAMES
from assay.kinds import read


def table(*columns, rows=2, **values):
    cells = {name: [f"{name} {row}" for row in range(rows)] for name in columns}
    return {**cells, **values}


@pytest.mark.parametrize("name", [name for row in ID_NAMES for name in row])
def test_every_usual_id_name_is_found(name):
    assert read(table("text", **{name: [7, 9]})).ids.to_list() == ["7", "9"]


@pytest.mark.parametrize("name", [name for row in TIME_NAMES for name in row])
def test_every_usual_time_name_is_found(name):
    assert read(table("text", **{name: ["2020-01-01", ""]})).times.to_list() == ["2020-01-01", None]


def test_columns_are_named_exactly_or_but_for_case():
    source = table("a", "B", "c")
    assert read(source, text="b", label="C").notes[0] == "task: classification (B, c); not used: a"
    assert read(source, text=["a", "B"]).task == "pairs"
    with pytest.raises(AssayError, match=r"data: there is no column 'aa'. Did you mean 'a'\? Its columns: a, B, c"):
        read(source, text="aa")


def test_a_column_that_is_named_is_not_taken_for_another_role():
    assert read(table("text", "question"), text="question", label="text").labels.to_list() == ["text 0", "text 1"]


def test_a_group_is_mentioned_and_used_only_when_it_is_named():
    source = table("text", group=["g", ""])
    data = read(source)
    assert data.groups is None
    assert "column 'group' looks like groups; it is used only if it is named as the group" in data.notes
    assert read(source, group="group").groups.to_list() == ["g", None]
    assert len(read(source, group="none").notes) == 2


def test_a_role_that_is_empty_throughout_is_absent():
    data = read(table("text", label=["", None], split=["", ""], id=["", ""], date=["", ""]))
    assert data.labels is None
    assert data.parts is None
    assert data.times is None
    assert data.ids.to_list() == ["0", "1"]


def test_the_column_of_parts_is_read_by_prefix():
    data = read(table("text", rows=5, split=["Training", "dev_matched", "validation", "test2017", "unused"]))
    assert data.parts.to_list() == ["train", "dev", "dev", "test", "unused"]
    assert data.notes[1] == "id: row numbers, split: split; 1 train, 2 dev, 1 test, 1 unused"


def test_a_doubtful_name_is_not_a_column_of_parts_without_parts_in_it():
    assert read(table("text", subset=["sports", "news"])).parts is None
    assert read(table("text", subset=["train", "test"])).parts.to_list() == ["train", "test"]


def test_a_doubtful_id_that_repeats_is_not_an_id():
    assert read(table("text", docid=["d", "d"])).ids.to_list() == ["0", "1"]


def test_of_several_times_or_ids_the_first_usual_one_is_taken():
    data = read(table("text", date=["d", "e"], time=["t", "u"], id=["1", "2"], idx=["3", "4"]))
    assert data.notes == ("task: classification (text; no label); not used: time, idx", "id: id, time: date; 2 rows")


def test_a_column_called_none_can_be_named():
    assert read({"text": ["a"], "none": ["x"]}, label="none").labels.to_list() == ["x"]


def test_whole_numbers_that_are_floats_keep_their_point():
    assert read(table("text", label=[1.0, float("nan")])).labels.to_list() == ["1.0", None]
