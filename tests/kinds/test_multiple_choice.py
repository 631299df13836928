"""Multiple choice: layouts of columns, ways to write answers, metrics, baselines, and published counts."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.kinds import kind_of, read
from assay.kinds.multiple_choice.options import number_answers, read_letters

OPTIONS = [["red", "green", "blue"], ["one", "two", "three"], ["cat", "dog", "cow"]]
QUESTIONS = ["Which colour is grass?", "How many moons?", "Which animal barks?"]


def columns(*names):
    return {name: [row[number] for row in OPTIONS] for number, name in enumerate(names)}


@pytest.mark.parametrize(
    ("table", "written"),
    [
        ({"question": QUESTIONS, "choices": OPTIONS, "answer": [1, 0, 1]}, "numbers from 0"),
        ({"question": QUESTIONS, "options": [json.dumps(row) for row in OPTIONS], "answer": ["B", "A", "B"]}, "letters"),
        ({"question": QUESTIONS, "choices": [str(row) for row in OPTIONS], "answerKey": ["(b)", "a.", "B"]}, "letters"),
        ({"question": QUESTIONS, "choices": ["|".join(row) for row in OPTIONS], "gold": ["b", "a", "b"]}, "letters"),
        ({"ctx": QUESTIONS, "endings": OPTIONS, "label": ["1", "0", "1"]}, "numbers from 0"),
        ({"question": QUESTIONS, **columns("A", "B", "C"), "answer": ["B", "A", "B"]}, "letters"),
        ({"question": QUESTIONS, **columns("option_a", "option_b", "option_c"), "answer": ["green", "one", "dog"]},
         "the text of an option"),
        ({"sentence": QUESTIONS, **columns("option1", "option2", "option3"), "answer": ["2", "1", "2"]}, "numbers from 1"),
        ({"goal": QUESTIONS, **columns("sol1", "sol2"), "label": ["1", "0", "1"]}, "numbers from 0"),
        ({"query": QUESTIONS, **columns("ending0", "ending1", "ending2"), "label": ["1", "0", "1"]}, "numbers from 0"),
        (
            {
                "question_stem": QUESTIONS,
                "choices": [{"text": row, "label": ["1", "2", "3"]} for row in OPTIONS],
                "answerKey": ["2", "1", "2"],
            },
            "the labels of the options",
        ),
        (
            {
                "question": QUESTIONS,
                "choices": [[{"text": text, "label": a} for text, a in zip(row, "ABC", strict=True)] for row in OPTIONS],
                "answerKey": ["B", "A", "B"],
            },
            "the labels of the options",
        ),
        (
            {
                "question": QUESTIONS,
                "choices": [dict(zip("XYZ", row, strict=True)) for row in OPTIONS],
                "answer": ["Y", "X", "Y"],
            },
            "the labels of the options",
        ),
    ],
)  # fmt: skip
def test_every_layout_gives_the_same_key(table, written):
    data = read(table)
    assert data.task == "multiple-choice"
    assert data.labels.to_list() == ["B", "A", "B"]
    assert data.texts.to_list() == QUESTIONS
    assert [row[1] for row in data.fields["choices"].to_list()] == ["green", "two", "dog"]
    assert f"answers are {written}" in data.notes


def test_columns_can_be_named():
    table = {"ask": QUESTIONS, "w": ["red", "one", "cat"], "x": ["green", "two", "dog"], "right": ["x1", "B", "A"]}
    data = read(table, text="ask", choices=["w", "x"], label="right")
    assert data.notes[0] == "task: multiple choice (ask, w, x, right)"
    assert data.labels.to_list() == [None, "B", "A"]
    assert "1 answers are none of the options (0); left out of label measures" in data.notes


def test_other_columns_are_named_as_not_used():
    data = read({"question": QUESTIONS, "choices": OPTIONS, "answer": [1, 0, 1], "subject": ["a", "b", "c"]})
    assert data.notes[0] == "task: multiple choice (question, choices, answer); not used: subject"


def test_data_without_a_key_is_read():
    data = read({"question": QUESTIONS, "choices": OPTIONS})
    assert (data.task, data.labels) == ("multiple-choice", None)
    assert assay.profile(data).kind.distributions[0].counts == {"3": 3}


def test_cells_without_a_list_of_options_are_refused():
    with pytest.raises(AssayError, match="holds no list of options"):
        read({"question": QUESTIONS, "choices": ["red", "one", "cat"], "answer": ["A"] * 3}, choices="choices")


def test_numbers_that_fit_both_counts_follow_the_columns():
    assert number_answers(["1"], [["x", "y", "z"]], None, None).letters == ["B"]
    assert number_answers(["1"], [["x", "y", "z"]], None, 1).letters == ["A"]
    assert number_answers(["3"], [["x", "y", "z"]], None, None).letters == ["C"]


def test_questions_may_have_different_numbers_of_options():
    table = {"question": QUESTIONS, **columns("A", "B", "C"), "answer": ["A", "B", "B"]}
    table["C"] = ["blue", "", ""]
    data = read(table)
    assert data.fields["choices"].list.len().to_list() == [3, 2, 2]
    assert kind_of(data).gold.get_chances(data).tolist() == [1 / 3, 1 / 2, 1 / 2]


def test_options_of_some_questions_are_numbered_and_of_others_lettered():
    """The layout of ARC, whose older questions have the options 1 to 4; systems answer in the same way."""
    options = [["w", "x", "y", "z"]] * 3
    assert read_letters(["4", "C", "D"], options, ["1", "C", "2"], ["A", "C", "B"]) == ["D", "C", "D"]
    assert read_letters(["4", "2"], options[:2], ["y", "1"], ["C", "A"]) == ["4", "2"]  # gold has texts: no numbers


def test_answers_are_letters_numbers_or_texts():
    options = [["4", "5"], ["a dog", "a cat"], ["x", "y"], ["x", "y"], ["x", "NA"], ["x", "y"]]
    answers = ["5", "A dog", "B. y", "NA", "NA", "none"]
    assert read_letters(answers, options, ["A"] * 6, ["A"] * 6) == ["B", "A", "B", None, "B", "none"]
    assert read_letters(["1"], [["1", "2"]], ["0"], ["A"]) == ["B"]  # gold counts, so numbers are numbers


def test_questions_on_one_passage_are_a_group():
    data = read({"context": ["p", "p", "q"], "question": QUESTIONS, "choices": OPTIONS, "answer": [1, 0, 1]})
    assert data.groups.to_list() == ["p", "p", "q"]
    assert list(kind_of(data).texts.leak_texts(data)) == [
        "question with context and options",
        "question",
        "question with answer",
        "context",
    ]
    assert kind_of(data).texts.leak_texts(data)["question with answer"][2] == "Which animal barks?\ndog"
    assert assay.evaluate(data, {"x": ["B", "A", "B"]}).resampled == "groups"


def test_chance_correction_by_hand():
    """Two options: right 1, wrong −1; three options: right 1, wrong −1/2."""
    data = read(
        {"question": QUESTIONS, "choices": [["x", "y"], ["x", "y"], ["x", "y", "z"]], "answer": ["A", "A", "A"]}
    )
    (system,) = assay.evaluate(data, {"s": ["A", "B", "B"]}).systems
    assert system.metrics["accuracy"].value == pytest.approx(1 / 3)
    assert system.metrics["chance-corrected-accuracy"].value == pytest.approx((1 - 1 - 0.5) / 3)


def test_guessing_scores_zero_after_correction():
    rng = np.random.default_rng(0)
    n = 4000
    data = read(
        {
            "question": [f"q {i}" for i in range(n)],
            "choices": [["w", "x", "y", "z"]] * n,
            "answer": rng.integers(4, size=n).tolist(),
        }
    )
    (system,) = assay.evaluate(data, {"guess": rng.integers(4, size=n).tolist()}).systems
    score = system.metrics["chance-corrected-accuracy"]
    assert score.low < 0 < score.high


def test_no_label_of_two_is_positive():
    data = read({"question": QUESTIONS, "choices": [["x", "y"]] * 3, "answer": ["A", "B", "B"]})
    result = assay.evaluate(data, {"s": ["A", "B", "A"]})
    assert result.positive is None
    assert list(result.systems[0].metrics) == ["accuracy", "chance-corrected-accuracy"]


def test_mmlu_redux(shared):
    """The published accuracies of 14 models, where an answer that was not found is wrong."""
    data = read(shared("mmlu_redux/items.tsv.gz"))
    assert data.notes[0] == (
        "task: multiple choice (question, A, B, C, D, answer); not used: subject, error_type, correct_answer"
    )
    published = {
        "anthropic_claude-3-5-sonnet-20240620": (0.8697, 0.8846),
        "openai_gpt-4o-2024-05-13": (0.8583, 0.8744),
        "meta_llama-3.1-405b-instruct-turbo": (0.8545, 0.8718),
        "writer_palmyra-x-004": (0.8272, 0.8433),
        "mistralai_mistral-large-2407": (0.8203, 0.8364),
    }
    ok = data.take(data.column("error_type") == "ok")
    assert (len(data), len(ok), data.column("subject").n_unique()) == (2900, 2738, 29)
    for number, items in enumerate((data, ok)):
        result = assay.evaluate(
            items,
            shared("mmlu_redux/pred_labels.tsv.gz"),
            missing_predictions="wrong",
            compare=False,
            systems=list(published),
        )
        for system in result.systems:
            assert round(system.value, 4) == published[system.system][number]


def test_mmlu_pro(shared):
    data = read(shared("mmlu_pro/items.jsonl.gz"), id="question_id")
    counts = {"3": 4, "4": 194, "5": 12, "6": 19, "7": 31, "8": 73, "9": 148, "10": 2315}
    figures = kind_of(data).texts.describe_items(data)
    assert figures.distributions[0].counts == counts
    assert sum(figures.distributions[1].counts.values()) == 2796
    right = {"gemini-1.5-pro-002": 2174, "Meta-Llama-3_1-70B-Instruct": 1937, "Llama-2-7b-hf": 600, "Yi-34B": 1379}
    result = assay.evaluate(data, shared("mmlu_pro/pred_labels.tsv.gz"), compare=False, systems=list(right))
    for system in result.systems:
        assert round(system.value * system.n) == right[system.system]
        assert system.metrics["chance-corrected-accuracy"].value < system.value


def test_commonsenseqa(shared):
    data = read(shared("commonsenseqa/dev_rand_split.jsonl.gz"))
    position = kind_of(data).texts.describe_items(data).distributions[1]
    assert position.counts == {"A": 239, "B": 255, "C": 241, "D": 251, "E": 235}
    assert sum(position.expected.values()) == pytest.approx(1221)
    assert assay.profile(data).duplicates.exact == 0
    assert len(read(shared("commonsenseqa/dev_first20.jsonl"))) == 20


def make_quiz(n=200, seed=0, longest=0.25, letter=None, blind=0.0):
    """Make questions with four options: the longest one right in some, the key always one letter, or a telling word."""
    rng = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(300)]
    questions, options, answers = [], [], []
    for number in range(n):
        row = [" ".join(rng.choice(words, 3)) for _ in range(4)]
        key = int(rng.integers(4)) if letter is None else letter
        long = key if rng.random() < longest else int((key + 1 + rng.integers(3)) % 4)
        row[long] += " and also some further detail"
        if rng.random() < blind:
            row[key] += " correctly"
        questions.append(f"Question {number} about {' '.join(rng.choice(words, 5))}?")
        options.append(row)
        answers.append(key)
    return {"question": questions, "choices": options, "answer": answers}


@pytest.mark.parametrize(
    ("planted", "baseline"),
    [({"longest": 0.6}, "longest-option"), ({"letter": 2}, "most-frequent-letter"), ({"blind": 0.6}, "choices-only")],
)
def test_a_planted_shortcut_is_found_by_its_baseline_alone(planted, baseline):
    data = read(make_quiz(**planted))
    scores = {row.baseline: row for row in assay.evaluate(data, {"s": data.labels.to_list()}).baselines if row.n}
    assert scores[baseline].low > 0.35
    clean = read(make_quiz())
    scores = {row.baseline: row for row in assay.evaluate(clean, {"s": clean.labels.to_list()}).baselines if row.n}
    assert scores[baseline].low < 0.3


def test_baselines_learn_from_train_where_there_is_one():
    quiz = make_quiz(300, blind=1.0)
    data = read(quiz | {"split": ["train"] * 200 + ["test"] * 100})
    rows = np.arange(200, 300)
    learned = {each.name: each for each in kind_of(data).learning.answer_baselines(data, rows)}
    assert learned["choices-only"].based_on == "train"
    assert np.mean(np.array(learned["choices-only"].answers) == data.labels[200:].to_numpy()) > 0.9
    assert {each.name: each.based_on for each in kind_of(data).learning.answer_baselines(data, np.arange(200))} == {
        "longest-option": "the items themselves",
        "overlap": "the items themselves",
        "most-frequent-letter": "5 folds of their own",
        "choices-only": "5 folds of their own",
        "question-and-options": "5 folds of their own",
    }


def test_defective_options_are_counted():
    data = read(
        {
            "question": ["a?", "b?", "c?", "d?", "e?", "f?"],
            "choices": [["same", "Same "], ["x", ""], ["x"], ["x", "All of the above"], ["x", "y"], ["Bb", "bb"]],
            "answer": ["A"] * 6,
        }
    )
    defects = {defect.name: defect.items.ids for defect in assay.profile(data).kind.defects}
    assert defects == {
        "duplicate options": ("0",),
        "empty options": ("1",),
        "too few options": ("2",),
        "catch-all options": ("3",),
    }


def test_copies_are_counted_on_question_and_options():
    """The same question with other options is another item."""
    table = {"question": ["Which is true?"] * 3, "choices": [["p", "q"], ["r", "s"], ["p", "q"]], "answer": ["A"] * 3}
    assert assay.profile(table).duplicates.exact == 2


def test_guessing_does_not_count_as_ability():
    """With a fixed guess, an item that weak systems get right by chance is not easy for them."""
    rng = np.random.default_rng(1)
    ability = rng.normal(size=60)
    difficulty = rng.normal(1.0, 1.0, size=80)
    known = rng.random((60, 80)) < 1 / (1 + np.exp(-(ability[:, None] - difficulty)))
    outcomes = (known | (rng.random((60, 80)) < 0.25)).astype(float)
    from assay.discrimination import fit_item_response

    corrected = fit_item_response(outcomes, control=False, chances=np.full(80, 0.25))
    plain = fit_item_response(outcomes, control=False)
    errors = [np.abs(fit.difficulty - difficulty).mean() for fit in (corrected, plain)]
    assert errors[0] < 0.8 * errors[1]
    none = fit_item_response(outcomes, control=False, chances=np.zeros(80))
    assert np.allclose(none.difficulty, plain.difficulty, atol=0.05)


def test_discriminate_knows_the_options():
    quiz = make_quiz(60)
    data = read(quiz)
    gold = data.labels.to_list()
    rng = np.random.default_rng(0)
    systems = {f"s{share}": [g if rng.random() < share / 10 else "D" for g in gold] for share in (3, 5, 6, 7, 8, 9)}
    result = assay.discriminate(predictions=systems, data=data)
    assert result.datasets[0].metric == "accuracy"
    assert result.items[0].item_response is not None
    corrected = assay.discriminate(predictions=systems, data=data, metric="chance-corrected-accuracy")
    assert corrected.datasets[0].lambda_var.value > result.datasets[0].lambda_var.value


def test_options_beyond_the_letters_have_numbers(tmp_path):
    options = [[f"word {item} {number}" for number in range(30)] for item in range(60)]
    keys = [(item * 7) % 30 for item in range(60)]
    questions = [f"Which word belongs to number {item}?" for item in range(60)]
    data = read({"question": questions, "choices": options, "answer": keys})
    assert data.labels.to_list()[:5] == ["A", "H", "O", "V", "29"]
    assert kind_of(data).gold.get_answer_texts(data).to_list() == [
        row[key] for row, key in zip(options, keys, strict=True)
    ]
    rows = [
        {
            "doc_id": item,
            "doc": {"question": question, "choices": choices, "answer": key},
            "arguments": {f"gen_args_{n}": {"arg_0": question, "arg_1": f" {text}"} for n, text in enumerate(choices)},
            "target": str(key),
            "filter": "none",
            "metrics": ["acc"],
            "resps": [[[f"{-float(number != key)}", "False"]] for number in range(30)],
            "filtered_resps": [[f"{-float(number != key)}", "False"] for number in range(30)],
            "acc": 1.0,
        }
        for item, (question, choices, key) in enumerate(zip(questions, options, keys, strict=True))
    ]
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "samples_words_2024-01-01T00-00-00.000000.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows)
    )
    (evaluated,) = assay.evaluate(tmp_path).systems
    assert evaluated.value == 1
    distributions = {each.name: each.counts for each in assay.profile(tmp_path).kind.distributions}
    assert distributions["position of the key"]["27"] == keys.count(26)


def test_options_that_differ_in_case_are_different():
    options = ["BB", "Bb", "bb"]
    data = read({"question": ["1?", "2?", "3?"], "choices": [options] * 3, "answer": options})
    assert data.labels.to_list() == ["A", "B", "C"]
    result = assay.evaluate(data, [{"id": str(row), "x": option} for row, option in enumerate(options)])
    assert result.systems[0].metrics["accuracy"].value == 1


def test_answers_that_are_all_texts_of_options_are_read_as_texts():
    data = read({"question": ["1?", "2?"], "choices": [["3", "2"], ["rain", "snow"]], "answer": [1, 0]})
    result = assay.evaluate(data, [{"id": "0", "x": "2"}, {"id": "1", "x": "rain"}])
    assert result.systems[0].metrics["accuracy"].value == 1


def test_answers_that_are_none_of_the_options_are_a_defect():
    rows = {"question": ["a?", "b?", "c?"], "choices": [["x", "y"]] * 3, "answer": ["A", "Z", None]}
    (defect,) = assay.profile(rows).kind.defects
    assert (defect.name, defect.items.ids, defect.items.n) == ("unknown answers", ("1",), 3)


def test_a_key_in_lists_is_read_and_several_right_options_are_left_out():
    data = read({"question_text": QUESTIONS, "options": OPTIONS, "correct_options": [["B"], ["A", "C"], ["B"]]})
    assert data.task == "multiple-choice"
    assert data.labels.to_list() == ["B", None, "B"]
    assert [(entry.what, entry.n) for entry in data.left_out] == [("gold labels", 1)]
    assert any(note.startswith("1 gold labels are not used: several options are right") for note in data.notes)


def test_numbered_answers_without_a_key_are_options_only_if_none_stands_alone():
    full = {"question": QUESTIONS, **columns("answer_0", "answer_1", "answer_2")}
    assert read(full).task == "multiple-choice"
    alone = read({**full, "answer_1": ["green", "", "dog"], "answer_2": ["", "", "cow"]})
    assert alone.task == "generation"
    assert alone.fields["references"].to_list() == [["red", "green"], ["one"], ["cat", "dog", "cow"]]
    assert read({**full, "answer_1": ["green", "", "dog"], "answer": ["A", "A", "B"]}).task == "multiple-choice"


def test_options_in_lines_with_letters_in_front():
    lines = ["\n".join(f"{letter}. {text}" for letter, text in zip("ABC", row, strict=True)) for row in OPTIONS]
    answers = ["B. green", "A. one", "B. dog"]
    data = read({"question": QUESTIONS, "options": lines, "answer": answers})
    assert data.fields["choices"].to_list() == OPTIONS
    assert data.labels.to_list() == ["B", "A", "B"]
    marked = [[f"{letter}) {text}" for letter, text in zip("ABC", row, strict=True)] for row in OPTIONS]
    assert (
        read({"question": QUESTIONS, "options": marked, "answer": ["B", "A", "B"]}).fields["choices"].to_list()
        == OPTIONS
    )
    damaged = read(
        {"question": QUESTIONS * 20, "options": [*(lines * 20)[:-1], "C. cow\nD. horse"], "answer": answers * 20}
    )
    assert damaged.fields["choices"].to_list()[-1] == ["C. cow", "D. horse"]


def test_texts_that_are_not_used_are_mentioned():
    clauses = [f"This clause number {number} says nothing about the question that follows." for number in range(3)]
    table = {"question": QUESTIONS, "contract": clauses, "label": ["yes", "no", "yes"]}
    assert "the texts of contract are not used; name them if systems see them" in read(table).notes
    assert not any("not used;" in note for note in read(table, text="question").notes)


def test_questions_with_other_contexts_are_no_copies():
    passages = [
        f"Passage number {row} tells about two people, Ada and Bob, who met at place {row}." for row in range(60)
    ]
    table = {
        "passage": passages,
        "question": ["Who was late that day?"] * 60,
        "choices": [["Ada", "Bob", "Cannot be known"]] * 60,
        "answer": ["ABC"[row % 3] for row in range(60)],
    }
    codes = {finding.code for finding in assay.audit(table, only=["profile"]).findings}
    assert not codes & {"A103", "A104"}
    same = assay.audit({**table, "passage": passages[:20] * 3}, only=["profile"])
    assert next(row for row in same.findings if row.code == "A103").claim.startswith("40 items of 60")


def test_items_are_shown_with_the_letters_of_gold():
    data = read({"context": ["p", "p", "q"], "question": QUESTIONS, "choices": OPTIONS, "answer": [1, 0, 1]})
    assert kind_of(data).texts.get_shown_texts(data)[0] == f"p\n{QUESTIONS[0]}\nA. red\nB. green\nC. blue"
