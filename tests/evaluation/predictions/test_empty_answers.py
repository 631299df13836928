"""An empty answer is a wrong answer; only an item that a system was not run on is missing."""

from __future__ import annotations

import math

import pytest
from tests.answered_kinds import GRADES, KINDS, TEXTS, N

import assay
from assay.base.errors import AssayError
from assay.evaluation import read_predictions
from assay.kinds import read


def silence(answers):
    return [answer if n < N // 2 else "" for n, answer in enumerate(answers)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_system_that_is_silent_on_half_of_the_items_has_half(kind):
    data, answers, half = KINDS[kind]
    result = assay.evaluate(data, {"silent": silence(answers), "all": answers}, baselines=False)
    silent, perfect = result.systems
    assert {name: silent.metrics[name].value for name in half} == pytest.approx(half)
    assert all(perfect.metrics[name].value == pytest.approx(1) for name in half)
    assert (silent.n, silent.n_empty, silent.n_missing) == (N, N // 2, 0)
    assert result.comparisons[0].n == N
    (note,) = [note for note in result.notes if note.startswith("Empty answers")]
    assert f"of {N} items: silent {N // 2}." in note
    assert "--missing-predictions skip" in note


def test_an_empty_grade_is_never_better_than_a_grade():
    data = {"text": TEXTS, "score": GRADES}
    guessed = [grade if n < N // 2 else str(n % 4) for n, grade in enumerate(GRADES)]
    systems = {"silent": silence(GRADES), "guesses": guessed}
    silent, guesses = assay.evaluate(data, systems, task="graded", baselines=False).systems
    assert silent.n == guesses.n == N
    assert silent.metrics["spearman"].value < guesses.metrics["spearman"].value
    assert silent.metrics["rmse"].value > guesses.metrics["rmse"].value


def test_probabilities_of_an_empty_answer_leave_out_the_gold_label():
    rows = [
        {"id": str(n), "gold": "ab"[n % 2], "predicted": "ab"[n % 2] if n < 2 else "", "prob:a": p, "prob:b": q}
        for n, (p, q) in enumerate([(0.9, 0.1), (0.1, 0.9), (None, None), (None, None)])
    ]
    (system,) = assay.evaluate(None, rows, metrics=["brier", "accuracy"]).systems
    assert system.metrics["brier"].n == 4
    assert system.metrics["brier"].value == pytest.approx((0.01 + 0.01 + 1 + 1) / 4)


def test_an_empty_answer_is_right_where_a_question_has_none():
    data = {
        "context": ["Ada was born in London.", "Ada was born in London."],
        "question": ["Where?", "When?"],
        "answers": ['{"text": ["London"], "answer_start": [16]}', '{"text": [], "answer_start": []}'],
    }
    result = assay.evaluate(data, {"x": ["", ""]}, metrics="exact-match", task="qa")
    assert result.systems[0].value == 0.5


def test_only_null_na_and_rows_that_are_not_there_are_missing(tmp_path):
    table, lines = tmp_path / "p.csv", tmp_path / "p.jsonl"
    table.write_text("id,gold,x,y\n1,a,,a\n2,b,NA,b\n3,b,b,b\n4,a, ,a\n")
    lines.write_text(
        '{"id": 1, "gold": "a", "x": "", "y": "a"}\n{"id": 2, "gold": "b", "x": null, "y": "b"}\n'
        '{"id": 3, "gold": "b", "x": "b", "y": "b"}\n{"id": 4, "gold": "a", "x": " ", "y": "a"}\n'
    )
    rows = [{"id": n, "gold": g, "system": "x", "predicted": p} for n, g, p in (("1", "a", ""), ("3", "b", "b"))]
    rows += [{"id": n, "gold": g, "system": "y", "predicted": g} for n, g in zip("1234", "abba", strict=True)]
    rows += [{"id": "4", "gold": "a", "system": "x", "predicted": ""}]
    for source in (table, lines, rows):
        predictions = read_predictions(source).sort_rows()
        assert predictions.count_missing() == {"x": 1, "y": 0}
        assert predictions.count_empty() == {"x": 2, "y": 0}
        first = predictions.outcomes()[0].tolist()
        assert math.isnan(first.pop(1))
        assert first == [0.0, 1.0, 0.0]


def test_na_is_an_answer_if_it_is_a_label():
    rows = [{"id": str(n), "gold": gold, "x": "NA"} for n, gold in enumerate(["NA", "EU"])]
    assert read_predictions(rows).outcomes().tolist() == [[1.0, 0.0]]


def test_a_part_without_any_answer_of_a_system_was_not_run(tmp_path):
    data = read({"id": list("abcdef"), "text": TEXTS[:6], "label": list("xyxyxy"), "split": ["dev"] * 3 + ["test"] * 3})
    path = tmp_path / "p.tsv"
    path.write_text("id\tboth\ttest\nc\tx\t\na\tx\t\nb\ty\t\nd\ty\ty\ne\t\tx\nf\ty\t\n")
    predictions = read_predictions(path, data)
    assert predictions.count_missing() == {"both": 0, "test": 3}
    assert predictions.count_empty() == {"both": 1, "test": 1}
    path.write_text("id\tone\ttwo\nc\t\t\na\t\t\nb\t\t\nd\ty\ty\ne\t\tx\nf\ty\t\n")
    predictions = read_predictions(path, data)
    assert len(predictions) == 3
    assert any(note.startswith("No system predicts dev (3)") for note in predictions.notes)


def test_missing_predictions_says_what_counts():
    rows = [{"id": str(n), "gold": "ab"[n % 2], "x": x} for n, x in enumerate(["a", "b", "", None])]

    def score(choice):
        (system,) = assay.evaluate(None, rows, metrics="accuracy", missing_predictions=choice).systems
        return system.value, system.n, system.n_missing

    assert score(None) == (2 / 3, 3, 1)
    assert score("skip") == (1.0, 2, 2)
    assert score("wrong") == (0.5, 4, 1)
    with pytest.raises(AssayError, match="Missing predictions, of 4 items: x 1"):
        score("error")
    skipped = assay.evaluate(None, rows, metrics="accuracy", missing_predictions="skip")
    assert "Empty answers left out, of 4 items: x 1." in skipped.notes
    with pytest.raises(AssayError, match="Empty answers, of 3 items: x 1"):
        assay.evaluate(None, rows[:3], missing_predictions="error")
