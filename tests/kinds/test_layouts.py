"""Public benchmarks in the layouts in which they are distributed."""

from __future__ import annotations

import json

import pytest

import assay


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read_rows(tmp_path, row, n=30, **options):
    """Write a row many times, with `#` replaced by its number, and read the file."""
    rows = [json.loads(json.dumps(row).replace("#", str(number))) for number in range(n)]
    return assay.read(write(tmp_path / "x.jsonl", rows), **options)


def test_question_objects(tmp_path):
    options = [{"label": "A", "text": "two"}, {"label": "B", "text": "three"}]
    data = read_rows(tmp_path, {"id": "q#", "question": {"stem": "1 + #?", "choices": options}, "answerKey": "B"})
    assert (data.task, data.texts[1], data.labels[0]) == ("multiple-choice", "1 + 1?", "B")
    assert data.fields["choices"][0].to_list() == ["two", "three"]


def test_right_and_wrong_columns_are_sorted_so_that_the_key_has_no_place(tmp_path):
    row = {"Record ID": "r#", "Question": "Why #?", "Correct Answer": "b", "Incorrect Answer 1": "c"}
    data = read_rows(tmp_path, {**row, "Incorrect Answer 2": "a"})
    assert data.fields["choices"][0].to_list() == ["a", "b", "c"]
    assert (data.task, data.labels[0], data.ids[3]) == ("multiple-choice", "B", "r3")
    assert any("alphabetical order" in note for note in data.notes)


def test_right_answer_and_list_of_wrong_ones(tmp_path):
    data = read_rows(tmp_path, {"question": "Why #?", "correct_answer": "z", "incorrect_answers": ["c", "a"]})
    assert (data.fields["choices"][0].to_list(), data.labels[0]) == (["a", "c", "z"], "C")


def test_targets_with_one_right_option(tmp_path):
    data = read_rows(tmp_path, {"question": "Why #?", "mc1_targets": {"choices": ["x", "y"], "labels": [0, 1]}})
    assert (data.task, data.labels[0]) == ("multiple-choice", "B")


def test_options_in_numbered_answer_columns(tmp_path):
    row = {"context": "Two people met #.", "question": "Who?", "ans0": "one", "ans1": "other", "ans2": "unknown"}
    data = read_rows(tmp_path, {**row, "label": 2})
    assert (data.task, data.labels[0], data.fields["context"][4]) == ("multiple-choice", "C", "Two people met 4.")


def test_questions_of_a_few_types_belong_to_the_premise(tmp_path):
    row = {"premise": "It rained #.", "question": "cause", "choice1": "clouds", "choice2": "sun", "label": 0}
    data = read_rows(tmp_path, row)
    assert (data.task, data.texts[2], data.texts.n_unique()) == ("multiple-choice", "It rained 2.\ncause", 30)


def test_aliases_are_references(tmp_path):
    answer = {"value": "Rome", "aliases": ["Rome", "Roma"], "type": "place"}
    data = read_rows(tmp_path, {"question_id": "t#", "question": "Which city is #?", "answer": answer})
    assert (data.task, data.ids[2]) == ("generation", "t2")
    assert data.fields["references"][0].to_list() == ["Rome", "Roma"]


def test_translations(tmp_path):
    data = read_rows(tmp_path, {"translation": {"de": "Haus #", "en": "house #"}})
    assert (data.task, data.texts[1]) == ("generation", "Haus 1")
    assert data.fields["references"][1].to_list() == ["house 1"]


@pytest.mark.parametrize("prompt", [{}, {"prompt": "Say #."}])
def test_chats_are_their_last_message(tmp_path, prompt):
    chats = {
        name: [{"role": "user", "content": "Say #."}, {"role": "assistant", "content": f"{name} #"}]
        for name in ("chosen", "rejected")
    }
    data = read_rows(tmp_path, {**prompt, **chats})
    assert (data.task, data.texts[1]) == ("preference", "Say 1.")
    assert (data.fields["response_a"][1], data.fields["response_b"][1]) == ("chosen 1", "rejected 1")


def test_instructions_are_followed_by_their_input(tmp_path):
    rows = [{"instruction": "Sum up.", "input": f"Text {n}.", "output": f"So {n} it is."} for n in range(20)]
    rows += [{"instruction": f"Count to {n}.", "input": "", "output": f"One to {n} now."} for n in range(20)]
    data = assay.read(write(tmp_path / "x.jsonl", rows))
    assert (data.task, data.texts[3], data.texts[23]) == ("generation", "Sum up.\nText 3.", "Count to 3.")


@pytest.mark.parametrize(
    ("row", "task", "columns"),
    [
        ({"question": "Is # odd?", "passage": "Numbers #."}, "pairs", ("question", "passage")),
        ({"question": "Is # odd?", "context": "Numbers #."}, "pairs", ("question", "context")),
        ({"question": "Is # odd?"}, "classification", ("question",)),
    ],
)
@pytest.mark.parametrize("answers", [(True, False), ("yes", "no")])
def test_yes_and_no_are_labels(tmp_path, row, task, columns, answers):
    rows = [json.loads(json.dumps(row).replace("#", str(n))) | {"answer": answers[n % 2]} for n in range(30)]
    data = assay.read(write(tmp_path / "x.jsonl", rows))
    assert (data.task, tuple(side.name for side in data.sides)) == (task, columns)
    assert set(data.labels) == {str(answer).lower() for answer in answers}


def test_several_columns_of_0_and_1_are_label_sets(tmp_path):
    rows = [{"comment_text": f"no {n}", "toxic": n % 2, "threat": n % 3 % 2, "insult": n % 5 % 2} for n in range(30)]
    path = write(tmp_path / "x.jsonl", rows)
    data = assay.read(path)
    assert (data.task, data.fields["labels"][1].to_list()) == ("multilabel", ["insult", "threat", "toxic"])
    assert assay.read(path, label="toxic").task == "classification"
    labelled = write(tmp_path / "y.jsonl", [{**row, "label": "ab"[n % 2]} for n, row in enumerate(rows)])
    assert assay.read(labelled).task == "classification"


def test_named_columns_are_not_unfolded(tmp_path):
    row = {"question": "Why #?", "correct_answer": "z", "distractor1": "c", "distractor2": "d"}
    data = read_rows(tmp_path, row, text="question", label="correct_answer", task="generation")
    assert (data.task, data.fields["references"][0].to_list()) == ("generation", ["z"])


def test_cells_that_break_the_layout_are_left_as_they_are(tmp_path):
    rows = [{"question": {"stem": "a", "choices": []}, "text": f"t {n}", "label": n % 2} for n in range(9)]
    rows.append({"question": {"other": 1}, "text": "t", "label": 1})
    assert assay.read(write(tmp_path / "x.jsonl", rows)).task == "classification"


def test_chats_with_the_same_instructions_and_an_ideal_answer():
    rules = {"role": "system", "content": "Answer with a number."}
    chats = [[rules, {"role": "user", "content": f"{n} + 1?"}] for n in range(3)]
    data = assay.read({"input": chats, "ideal": ["1", "2", "3"]})
    assert data.task == "generation"
    assert data.texts.to_list() == ["0 + 1?", "1 + 1?", "2 + 1?"]
    assert "the first message of 'input', the same in all rows, is left out" in data.notes
    several = assay.read({"input": chats, "ideal": [["1", "one"], ["2"], ["3", "three"]]})
    assert several.fields["references"].to_list() == [["1", "one"], ["2"], ["3", "three"]]


def test_chats_that_end_with_an_answer():
    chats = [
        [{"role": "user", "content": f"What is {n} + 1?"}, {"role": "assistant", "content": f"It is {n + 1}."}]
        for n in range(3)
    ]
    data = assay.read({"messages": chats})
    assert data.texts.to_list() == [f"What is {n} + 1?" for n in range(3)]
    assert data.fields["references"].to_list() == [[f"It is {n + 1}."] for n in range(3)]
    assert "the last message of 'messages' is the reference" in data.notes
    labelled = assay.read({"messages": chats, "label": ["a", "b", "a"]})
    assert (labelled.task, labelled.texts[0]) == ("classification", "What is 0 + 1?\nIt is 1.")
