"""Roles are found by the usual names, and said."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError
from assay.data import read
from assay.data.names import ID, LABEL, LOOSE_PAIRS, PAIRS, TEXT, TIME


def table(*columns, rows=2, **values):
    cells = {name: [f"{name} {row}" for row in range(rows)] for name in columns}
    return {**cells, **values}


@pytest.mark.parametrize("name", [name for row in TEXT for name in row])
def test_every_usual_text_name_is_found_alone(name):
    assert read(table(name.upper())).texts.to_list() == [f"{name.upper()} 0", f"{name.upper()} 1"]


@pytest.mark.parametrize("pair", [*PAIRS, *LOOSE_PAIRS])
def test_every_usual_pair_is_found_in_its_order(pair):
    data = read(table(*reversed(pair), label=["x", "y"]))
    assert data.task == "pair"
    assert [side.to_list()[0] for side in data.sides] == [f"{name} 0" for name in pair]
    assert data.texts.to_list()[0] == f"{pair[0]} 0\n{pair[1]} 0"


@pytest.mark.parametrize("name", [name for row in LABEL for name in row])
def test_every_usual_label_name_is_found(name):
    assert read(table("text", **{name.title(): ["x", "y"]})).labels.to_list() == ["x", "y"]


@pytest.mark.parametrize("name", [name for row in ID for name in row])
def test_every_usual_id_name_is_found(name):
    assert read(table("text", **{name: [7, 9]})).ids.to_list() == ["7", "9"]


@pytest.mark.parametrize("name", [name for row in TIME for name in row])
def test_every_usual_time_name_is_found(name):
    assert read(table("text", **{name: ["2020-01-01", ""]})).times.to_list() == ["2020-01-01", None]


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (["title", "text"], "text: text"),
        (["Sentence_A", "Sentence_B", "claim"], "text: Sentence_A and Sentence_B"),
        (["text_a", "text_b", "reason", "claim"], "text: text_a and text_b"),
        (["review", "title"], "text: review"),
        (["text", "sentence", "question"], "text: text"),
        (["question1", "question2", "question"], "text: question1 and question2"),
    ],
)
def test_the_plainer_name_wins(columns, text):
    assert read(table(*columns)).notes[0].startswith(text)


@pytest.mark.parametrize("columns", [["sentence", "review"], ["text", "text_a", "text_b"], ["Text", "text"]])
def test_texts_that_could_both_be_meant_are_an_error(columns):
    with pytest.raises(AssayError, match=f"the text could be .* or .*. Name it with --text. Its columns: {columns[0]}"):
        read(table(*columns))


def test_labels_that_could_both_be_meant_are_an_error():
    with pytest.raises(AssayError, match=r"the label could be .*. Name it with --label"):
        read(table("text", coarse_label=["a", "b"], fine_label=["c", "d"]))
    assert read(table("text", label=["a", "b"], gold=["c", "d"])).labels.to_list() == ["a", "b"]


def test_columns_are_named_exactly_or_but_for_case():
    source = table("a", "B", "c")
    assert read(source, text="b", label="C").notes[0] == "text: B, label: c, id: row numbers; 2 rows"
    assert read(source, text=["a", "B"]).task == "pair"
    with pytest.raises(AssayError, match=r"has no column 'aa'. Did you mean 'a'\? Its columns: a, B, c"):
        read(source, text="aa")


def test_a_column_asked_for_is_not_taken_for_another_role():
    assert read(table("text", "question"), text="question", label="text").labels.to_list() == ["text 0", "text 1"]


def test_the_names_of_clusterdatasplit_are_known():
    source = {"ids": [0, 1], "labels": ["p", "n"], "text_input_data": ["a", "b"], "clustering_labels": [1, 2]}
    data = read(source)
    assert data.notes[0] == "text: text_input_data, label: labels, id: ids; 2 rows"
    assert "'clustering_labels' looks like groups" in data.notes[1]


def test_a_group_is_mentioned_and_used_only_when_asked_for():
    source = table("text", group=["g", ""])
    data = read(source)
    assert data.groups is None
    assert "column 'group' looks like groups; it is used only with --group group" in data.notes
    assert read(source, group="group").groups.to_list() == ["g", None]


def test_a_role_that_is_empty_throughout_is_absent():
    data = read(table("text", label=["", None], split=["", ""], id=["", ""], date=["", ""]))
    assert data.labels is None
    assert data.parts is None
    assert data.times is None
    assert data.ids.to_list() == ["0", "1"]


def test_the_column_of_parts_is_read_by_prefix():
    data = read(table("text", rows=5, split=["Training", "dev_matched", "validation", "test2017", "unused"]))
    assert data.parts.to_list() == ["train", "dev", "dev", "test", "unused"]
    assert data.notes[0].endswith("; 1 train, 2 dev, 1 test, 1 unused")


def test_a_doubtful_name_is_no_column_of_parts_without_parts_in_it():
    assert read(table("text", subset=["sports", "news"])).parts is None
    assert read(table("text", subset=["train", "test"])).parts.to_list() == ["train", "test"]


def test_a_doubtful_id_that_repeats_is_no_id():
    assert read(table("text", docid=["d", "d"])).ids.to_list() == ["0", "1"]


def test_rows_without_label_are_null_and_counted():
    data = read(table("text", rows=5, label=["a", "", "-", "-1", "b"]))
    assert data.labels.to_list() == ["a", None, None, None, "b"]
    assert "3 rows (1, 2, 3) without a label: 1 empty, 1 '-', 1 '-1'; left out of label measures" in data.notes
    assert data.labelled().ids.to_list() == ["0", "4"]


def test_minus_one_is_a_label_where_the_other_is_one():
    assert read(table("text", label=[-1, 1])).labels.to_list() == ["-1", "1"]
    assert read(table("text", rows=3, label=[-1, 1, 0])).labels.to_list() == [None, "1", "0"]


def test_missing_texts_and_labels_are_kept_dropped_or_refused():
    source = {"id": ["x", "y", "z"], "text": [None, "b", "c"], "label": ["p", None, "q"]}
    kept = read(source)
    assert kept.texts.to_list() == ["", "b", "c"]
    assert "1 row (x) without text" in kept.notes
    dropped = read(source, missing="drop")
    assert dropped.ids.to_list() == ["z"]
    assert any("dropped 2 rows" in note for note in dropped.notes)
    with pytest.raises(AssayError, match=r"1 row \(x\) without text. Fill them, or use --missing keep or drop"):
        read(source, missing="error")
    with pytest.raises(AssayError, match=r"1 row \(y\) without label"):
        read({**source, "text": ["a", "b", "c"]}, missing="error")
    with pytest.raises(AssayError, match="nothing is left"):
        read({"text": ["a", None], "label": [None, "b"]}, missing="drop")


def test_a_pair_lacks_its_text_where_either_side_does():
    data = read({"text_a": ["a", "", "c"], "text_b": [None, "b", "c"]}, missing="drop")
    assert data.ids.to_list() == ["2"]


def test_whole_numbers_that_are_floats_keep_their_point():
    assert read(table("text", label=[1.0, float("nan")])).labels.to_list() == ["1.0", None]


def test_of_several_times_or_ids_the_first_usual_one_is_taken():
    data = read(table("text", date=["d", "e"], time=["t", "u"], id=["1", "2"], idx=["3", "4"]))
    assert data.notes[0] == "text: text, label: none, id: id, time: date; 2 rows"


def test_a_label_of_lists_is_mentioned_and_none():
    data = read({"text": ["a"], "labels": [["x", "y"]]})
    assert data.labels is None
    assert "column 'labels' holds lists or objects; it is not taken for the label" in data.notes
    with pytest.raises(
        AssayError, match=r"column 'labels' holds a list \(item 1\), not text. Name another with --label"
    ):
        read({"text": ["a"], "labels": [["x", "y"]]}, label="labels")


def test_long_names_of_few_labels_are_no_free_text():
    labels = ["EducationalInstitution", "MeanOfTransportation", "very negative indeed"]
    assert read(table("text", rows=3, label=labels)).label_names == sorted(labels)
