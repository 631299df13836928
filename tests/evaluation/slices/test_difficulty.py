from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError, name_flag
from assay.evaluation import evaluate, evaluate_arrays
from assay.evaluation.slices.difficulty import DifficultyScores


def make_pairs(n=60):
    """Half of the pairs share all words, half none; labels agree with that for two thirds."""
    rows = []
    for number in range(n):
        same, obvious = number % 2 == 0, number % 3 != 0
        label = "1" if same == obvious else "0"
        rows.append(
            {"id": str(number), "text_a": "one two", "text_b": "one two" if same else "three four", "label": label}
        )
    return rows


@pytest.fixture
def scores():
    rows = make_pairs(180)
    generator = np.random.default_rng(0)
    systems = {
        "lexical": ["1" if row["text_a"] == row["text_b"] else "0" for row in rows],
        "careful": [row["label"] if generator.random() < 0.5 else "10"[int(row["label"])] for row in rows],
    }
    return evaluate(rows, systems, by="difficulty", threshold=0.5).by.difficulty


def test_a_system_that_only_compares_words_fails_on_the_non_obvious(scores):
    rows = {row.system: row.to_dict() for row in scores.systems}
    assert [rows["lexical"][name] for name in ("TPR_o", "TPR_n", "F1_o", "F1_n")] == [1.0, 0.0, 1.0, 0.0]
    assert rows["(random guesser)"]["TPR_o"] == 0.5
    assert sum(scores.counts.values()) == 180


def test_rank_changes_are_tested(scores):
    lexical = next(row for row in scores.ranks if row.system == "lexical")
    assert (lexical.rank, lexical.rank_non_obvious, lexical.change) == (1, 2, -1)
    assert lexical.p < 0.05
    assert lexical.p_adjusted >= lexical.p


def test_a_frame_has_one_row_per_system(scores):
    assert scores.to_frame()["system"].to_list() == ["lexical", "careful", "(random guesser)"]


def test_single_texts_are_sorted_by_their_neighbours():
    generator = np.random.default_rng(0)
    words = {"a": "red green blue", "b": "cat dog bird"}
    rows = []
    for number in range(60):
        label = "ab"[number % 2]
        topic = label if generator.random() < 0.8 else "ab"[(number + 1) % 2]
        text = " ".join(generator.permutation((words[topic] + f" w{number % 7}").split()))
        rows.append({"id": str(number), "text": text, "label": label, "split": "train" if number < 40 else "test"})
    answers = [{"id": str(number), "x": "a"} for number in range(40, 60)]
    scores = evaluate(rows, answers, by="difficulty").by.difficulty
    assert sum(scores.counts.values()) == 20
    assert {row.system for row in scores.systems} == {"x", "(random guesser)"}
    assert DifficultyScores.from_dict(scores.to_dict()) == scores


def test_it_needs_the_texts():
    with pytest.raises(UsageError, match=r"by difficulty needs the texts of the items\. Give data=") as caught:
        evaluate_arrays(["1", "0"], {"x": ["1", "0"]}, by="difficulty")
    assert caught.value.phrase(name_flag) == "--by difficulty needs the texts of the items. Give DATA."


def test_it_needs_a_positive_label():
    rows = [{**row, "label": "abc"[number % 3]} for number, row in enumerate(make_pairs(12))]
    with pytest.raises(AssayError, match=r"which label is positive\. Name it with positive="):
        evaluate(rows, {"x": ["a"] * 12}, by="difficulty")
