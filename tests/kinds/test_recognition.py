"""The kind of task and its columns are recognised by the usual names, and said."""

from __future__ import annotations

import pytest

from assay.base.errors import AssayError, name_flag
from assay.data.columns.names import LABEL_NAMES, LOOSE_PAIR_NAMES, PAIR_NAMES, TEXT_NAMES
from assay.kinds import KINDS, Certainty, Match, read
from assay.kinds.tools.labelled_texts import select_best

GRADES = [str(number / 4) for number in range(20)]


def table(*columns, rows=2, **values):
    cells = {name: [f"{name} {row}" for row in range(rows)] for name in columns}
    return {**cells, **values}


@pytest.mark.parametrize("name", [name for row in TEXT_NAMES for name in row])
def test_every_usual_text_name_is_found_alone(name):
    data = read(table(name.upper()))
    assert data.task == "classification"
    assert data.texts.to_list() == [f"{name.upper()} 0", f"{name.upper()} 1"]


@pytest.mark.parametrize("pair", [*PAIR_NAMES, *LOOSE_PAIR_NAMES])
def test_every_usual_pair_is_found_in_its_order(pair):
    data = read(table(*reversed(pair), label=["x", "y"]))
    assert data.task == "pairs"
    assert [side.to_list()[0] for side in data.sides] == [f"{name} 0" for name in pair]
    assert data.texts.to_list()[0] == f"{pair[0]} 0\n{pair[1]} 0"


@pytest.mark.parametrize("name", [name for row in LABEL_NAMES for name in row])
def test_every_usual_label_name_is_found(name):
    assert read(table("text", **{name.title(): ["x", "y"]})).labels.to_list() == ["x", "y"]


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        (["title", "text"], "task: classification (text; no label); not used: title"),
        (["Sentence_A", "Sentence_B", "claim"], "task: pairs (Sentence_A, Sentence_B; no label); not used: claim"),
        (["text_a", "text_b", "reason", "claim"], "task: pairs (text_a, text_b; no label); not used: reason, claim"),
        (["review", "title"], "task: classification (review; no label); not used: title"),
        (["text", "sentence", "question"], "task: classification (text; no label); not used: sentence, question"),
        (["question1", "question2", "question"], "task: pairs (question1, question2; no label); not used: question"),
        (["text", "text_pair"], "task: pairs (text, text_pair; no label)"),
        (["text", "question", "answer"], "task: classification (text; no label); not used: question, answer"),
        (["review", "question", "answer"], "task: generation (question, answer); not used: review"),
        (["text", "annotator:a", "seconds:a"], "task: classification (text; no label)"),
    ],
)
def test_the_most_certain_kind_wins_and_unused_columns_are_listed(columns, note):
    assert read(table(*columns)).notes[0] == note


@pytest.mark.parametrize("columns", [["sentence", "review"], ["Text", "text"]])
def test_texts_that_could_both_be_meant_are_an_error(columns):
    with pytest.raises(AssayError, match=f"the text could be .* or .*. Name it with text=. Its columns: {columns[0]}"):
        read(table(*columns))


def test_columns_of_two_kinds_are_an_error_that_names_the_option():
    source = table("text", "text_a", "text_b")
    message = r"data: the columns fit several kinds of task: classification \(text\) and pairs \(text_a, text_b\)"
    with pytest.raises(AssayError, match=f"{message}. Choose one with task=, or name the columns with text=") as caught:
        read(source)
    assert "Choose one with --task, or name the columns with --text." in caught.value.phrase(name_flag)
    assert read(source, task="pairs").sides[0].to_list() == ["text_a 0", "text_a 1"]
    assert read(source, task="classification").texts.to_list() == ["text 0", "text 1"]
    assert read(source, text="text_a").task == "classification"
    graded = table("text", "text_a", "text_b", rows=20, score=GRADES)
    with pytest.raises(AssayError, match=r"the text could be text or text_a or text_b. Name it with text="):
        read(graded)


def test_of_two_matches_with_the_same_columns_the_one_without_a_problem_is_chosen():
    problem = Match(("tokens",), Certainty.CLEAR, "tags", problem=AssayError("lists"))
    clean = Match(("tokens",), Certainty.CLEAR, "tags")
    assert select_best([problem, clean]) == [clean]
    assert select_best([problem, Match(("other",), Certainty.CLEAR)])[0] is problem
    assert select_best([problem, Match(("other",), Certainty.WEAK)]) == [problem]
    assert select_best([]) == []


def test_labels_that_could_both_be_meant_are_an_error():
    with pytest.raises(AssayError, match=r"the label could be .*. Name it with label="):
        read(table("text", coarse_label=["a", "b"], fine_label=["c", "d"]))
    assert read(table("text", label=["a", "b"], gold=["c", "d"])).labels.to_list() == ["a", "b"]


@pytest.mark.parametrize("columns", [("text",), ("text_a", "text_b")])
def test_grades_make_the_task_graded(columns):
    data = read(table(*columns, rows=20, score=GRADES))
    assert data.task == "graded"
    assert data.notes[0] == f"task: graded ({', '.join(columns)}, score)"
    assert KINDS["graded"].texts.is_paired(data) == (len(columns) == 2)
    by_class = {"text": "classification", "text_a": "pairs"}[columns[0]]
    assert read(table(*columns, rows=20, score=GRADES), task=by_class).task == by_class
    assert read(table(*columns, rows=20, score=[str(number) for number in range(20)])).task == by_class


def test_numbers_of_classes_can_be_declared_grades():
    assert read(table("text", label=["1", "5"]), task="graded").task == "graded"
    message = (
        r"column 'label' holds labels that are not numbers \(bad, good\). Grades are numbers. Choose another task="
    )
    with pytest.raises(AssayError, match=message):
        read(table("text", label=["good", "bad"]), task="graded")


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("pairs", {}, "the columns do not fit the task pairs, which needs two text columns. Its columns: text, label"),
        ("pairs", {"text": "text"}, "the columns do not fit the task pairs"),
        ("classification", {"text": ["text", "label"]}, "the columns do not fit the task classification"),
    ],
)
def test_a_task_that_does_not_fit_says_what_it_needs(task, options, message):
    with pytest.raises(AssayError, match=message):
        read(table("text", label=["a", "b"]), task=task, **options)


def test_no_text_column_lists_the_columns():
    with pytest.raises(AssayError, match=r"data: no text column is recognised. Its columns: a, b. Name one with text="):
        read(table("a", "b"))
    with pytest.raises(AssayError, match="data: the text column 'text' is empty throughout"):
        read({"text": ["", None], "b": ["1", "2"]})
    with pytest.raises(AssayError, match="data: the text column 'b' is empty throughout"):
        read({"text": ["x"], "b": [""]}, text="b")


def test_a_file_without_header_is_recognised(tmp_path):
    (tmp_path / "x.csv").write_text("I love this movie so much,1\nnot at all,0\n")
    with pytest.raises(
        AssayError, match=r"the first line \(.*\) looks like data. Remove the lines before the header, or add a header"
    ):
        read(tmp_path / "x.csv")


def test_a_label_of_lists_is_mentioned_and_not_used():
    data = read({"text": ["a"], "labels": [{"x": "y"}]})
    assert data.labels is None
    assert "column 'labels' holds lists or objects; it is not used as the label" in data.notes
    with pytest.raises(
        AssayError, match=r"column 'labels' holds an object \(item 1\), not text. Name another with label="
    ):
        read({"text": ["a"], "labels": [{"x": "y"}]}, label="labels")


def test_the_names_of_clusterdatasplit_are_known():
    source = {"ids": [0, 1], "labels": ["p", "n"], "text_input_data": ["a", "b"], "clustering_labels": [1, 2]}
    data = read(source)
    assert data.notes[0] == "task: classification (text_input_data, labels); not used: clustering_labels"
    assert "'clustering_labels' looks like groups" in data.notes[2]


def test_rows_without_label_are_null_and_counted():
    data = read(table("text", rows=5, label=["a", "", "-", "-1", "b"]))
    assert data.labels.to_list() == ["a", None, None, None, "b"]
    assert "3 rows (1, 2, 3) without a label: 1 empty, 1 '-', 1 '-1'; left out of label measures" in data.notes
    assert data.drop_unlabelled().ids.to_list() == ["0", "4"]


def test_labels_that_are_free_text_are_refused():
    labels = [f"this is a whole sentence with number {number}" for number in range(30)]
    with pytest.raises(AssayError, match="data: the label column 'label' is free text"):
        read(table("text", rows=30, label=labels))
    assert read(table("text", rows=30, label=labels), label="none").labels is None
