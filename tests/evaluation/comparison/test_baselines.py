from __future__ import annotations

import math

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.evaluation import compute_error_reduction, evaluate, evaluate_arrays, score_trivial_baselines
from assay.kinds import read
from assay.statistics import Interval


def test_error_reduction_counted_by_hand():
    # Gold 3 a, 1 b: random is right with 0.75² + 0.25² = 0.625, majority with 0.75.
    result = evaluate_arrays(
        ["a", "a", "a", "b"], {"x": ["a", "a", "a", "b"], "y": ["a", "a", "b", "b"]}, metrics="accuracy"
    )
    assert {row.baseline: row.value for row in result.baselines} == {"random": 0.625, "majority": 0.75}
    reductions = {(row.system, row.baseline): row.value for row in result.error_reduction}
    assert reductions["x", "random"] == 1.0
    assert reductions["y", "random"] == pytest.approx((0.75 - 0.625) / 0.375)
    assert reductions["y", "majority"] == 0.0


def test_the_random_baseline_is_the_mean_score_of_random_guesses():
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b", "c"], p=[0.5, 0.3, 0.2], size=3000)
    guesses = {f"g{k}": generator.permutation(gold) for k in range(5)}
    result = evaluate_arrays(gold, guesses, metrics="macro-f1", compare=False)
    mean = np.mean([system.value for system in result.systems])
    assert result.baselines[0].value == pytest.approx(mean, abs=0.02)


def test_label_shares_come_from_the_training_part():
    rows = [{"id": str(n), "text": "t", "label": "a" if n < 8 else "b", "split": "train"} for n in range(10)]
    rows += [{"id": str(n), "text": "t", "label": "abbb"[n - 10], "split": "test"} for n in range(10, 14)]
    answers = [{"id": str(n), "x": "b"} for n in range(10, 14)]
    baselines = evaluate(rows, answers, metrics="accuracy").baselines
    assert {row.based_on for row in baselines} == {"train"}
    # Train is 0.8 a, test 0.25 a: random is right with 0.8 · 0.25 + 0.2 · 0.75, the majority (a) with 0.25.
    assert [row.value for row in baselines] == pytest.approx([0.35, 0.25])


def test_item_scores_are_measured_against_a_system():
    scores = {"model": [0.5, 0.7], "identity": [0.2, 0.2]}
    result = evaluate_arrays(None, scores)
    assert [row.baseline for row in result.baselines] == ["identity"]
    assert result.error_reduction[0].value == pytest.approx((0.6 - 0.2) / 0.8)
    copy = {"m": [0.5, 0.7], "copy": [0.2, 0.2]}
    assert evaluate_arrays(None, copy, baseline="copy").baselines[0].value == 0.2
    with pytest.raises(UsageError, match=r"No system 'cpy'\. Did you mean 'copy'"):
        evaluate_arrays(None, copy, baseline="cpy")


def test_a_ranking_metric_has_no_guessing_baseline():
    result = evaluate_arrays(
        ["0", "1"], {"x": ["1", "1"]}, ranking_scores={"x": [1.0, 2.0]}, groups=["q", "q"], metrics="map"
    )
    assert result.baselines == []


def test_a_perfect_baseline_has_no_errors_to_reduce():
    assert math.isnan(compute_error_reduction(Interval(1.0, 0.9, 1.0), 1.0)[0])


def test_scales_that_do_not_end_at_one_have_no_error_reduction():
    result = evaluate_arrays(None, {"x": [20.0, 30.0], "identity": [10.0, 10.0]})
    assert math.isnan(result.error_reduction[0].value)
    assert result.error_reduction[0].reason == "mean-score is not on a scale up to 1"


def test_a_test_part_without_gold_leaves_the_baselines_to_dev():
    def ask(number: int, part: str) -> dict[str, object]:
        answer = "AB"[number % 2] if part != "test" else None
        return {"question": f"{part} {number}?", "choices": ["long one", "b"], "answer": answer, "split": part}

    parts = {"train": 40, "dev": 10, "test": 20}
    items = [ask(number, part) for part, n in parts.items() for number in range(n)]
    rows = score_trivial_baselines(read(items))
    assert {(row.baseline, row.n) for row in rows} >= {("longest-option", 10)}
