"""Graded lexical similarity of pairs, of questions with options, and of contexts with questions."""

from __future__ import annotations

import json

import pytest

from assay.base.errors import AssayError
from assay.difficulty import rate_similarity

CHOICES = {
    "id": ["1", "2", "3"],
    "question": ["red sky", "red sky", "red sky"],
    "choices": [["red sky", "old sea"], ["red sky", "old sea"], ["red sea", "old sky", "blue"]],
    "answer": ["A", "B", "A"],
}


def test_question_and_options_counted_by_hand():
    found = rate_similarity(CHOICES)
    assert found.texts == ("question", "options")
    # Right minus best other: 1 − 0, 0 − 1, and two options that share one of two words: 0.5 − 0.5.
    assert found.values.tolist() == [1.0, -1.0, 0.0]
    assert found.options.choice.value == pytest.approx((1 + 0 + 0.5) / 3)
    assert found.options.chance == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert found.options.auc == pytest.approx((1 + 0 + 0.75) / 3)


def test_context_and_question_counted_by_hand():
    data = {"context": ["Ada wrote notes"], "question": ["Who wrote notes?"], "answers": [["Ada"]]}
    found = rate_similarity(data)
    assert found.texts == ("context", "question")
    assert found.values[0] == pytest.approx(2 / 3)  # two of three words of either side are shared
    assert found.gold.correlation is None


def test_labels_of_pairs_are_outcomes():
    n = 10
    sides = [" ".join(f"w{k}" for k in range(row + 1)) for row in range(n)]
    data = {"text_a": [sides[-1]] * n, "text_b": sides, "label": [str(int(row >= 5)) for row in range(n)]}
    found = rate_similarity(data)
    assert [group.outcome for group in found.gold.groups] == [0, 0, 0.5, 1, 1]
    assert found.gold.correlation.value > 0.8
    reversed_ = rate_similarity(data, positive="0")
    assert reversed_.gold.correlation.value == pytest.approx(-found.gold.correlation.value)


def test_a_system_that_follows_shared_words_is_found():
    items = {
        "id": [str(row) for row in range(20)],
        "question": ["red sky"] * 20,
        "choices": [["red sky", "old sea"]] * 20,
        "answer": ["A", "B"] * 10,
    }
    answers = {"similar": ["A"] * 20, "right": ["A", "B"] * 10}
    systems = {system.system: system for system in rate_similarity(items, answers).systems}
    assert systems["similar"].correlation.value == pytest.approx(1)
    assert systems["right"].groups[0].outcome == 1


def test_too_few_answers_are_refused():
    with pytest.raises(AssayError, match="system 's' has 1 answers for 3 items"):
        rate_similarity(CHOICES, {"s": ["A"]})


def test_single_texts_are_refused():
    with pytest.raises(AssayError, match="has no two texts to compare"):
        rate_similarity({"text": ["a", "b"], "label": ["x", "y"]})


def test_options_without_a_gold_answer_are_refused():
    with pytest.raises(AssayError, match="the options have no gold answer"):
        rate_similarity({name: values for name, values in CHOICES.items() if name != "answer"})


def test_the_command_gives_the_same(tmp_path, run):
    data, out = tmp_path / "items.jsonl", tmp_path / "items.tsv"
    rows = [dict(zip(CHOICES, row, strict=True)) for row in zip(*CHOICES.values(), strict=True)]
    data.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    done = run("difficulty", data, "--graded", "--json", "-", "-o", out)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["result"]
    assert result["options"]["choice"]["value"] == pytest.approx(0.5)
    assert out.read_text().splitlines() == ["id\tsimilarity", "1\t1.0", "2\t-1.0", "3\t0.0"]
    answers = tmp_path / "answers.tsv"
    answers.write_text("id\tsystem\tpredicted\n1\ts\tA\n2\ts\tA\n3\ts\tA\n", encoding="utf-8")
    shown = run("difficulty", data, "--graded", "--predictions", answers)
    assert "most similar is right" in shown.stdout + shown.stderr, shown.stderr
    assert "Mean outcome by similarity" in shown.stdout + shown.stderr
