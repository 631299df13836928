from __future__ import annotations

import math

import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.evaluation import error_reduction, evaluate, read_predictions
from assay.kinds import read
from assay.statistics import Interval


def test_error_reduction_counted_by_hand():
    # Gold 3 a, 1 b: random is right with 0.75² + 0.25² = 0.625, majority with 0.75.
    result = evaluate(
        ["a", "a", "a", "b"], {"x": ["a", "a", "a", "b"], "y": ["a", "a", "b", "b"]}, metrics=["accuracy"]
    )
    assert {row.baseline: row.value for row in result.baselines} == {"random": 0.625, "majority": 0.75}
    found = {(row.system, row.baseline): row.value for row in result.error_reduction}
    assert found["x", "random"] == 1.0
    assert found["y", "random"] == pytest.approx((0.75 - 0.625) / 0.375)
    assert found["y", "majority"] == 0.0


def test_the_random_baseline_is_what_random_guesses_score_on_average():
    generator = np.random.default_rng(0)
    gold = generator.choice(["a", "b", "c"], p=[0.5, 0.3, 0.2], size=3000)
    guesses = {f"g{k}": generator.permutation(gold) for k in range(5)}
    result = evaluate(gold, guesses, metrics=["macro-f1"], compare=False)
    mean = np.mean([system.value for system in result.systems])
    assert result.baselines[0].value == pytest.approx(mean, abs=0.02)


def test_label_shares_come_from_the_training_part(tmp_path):
    rows = [{"id": str(n), "text": "t", "label": "a" if n < 8 else "b", "split": "train"} for n in range(10)]
    rows += [{"id": str(n), "text": "t", "label": "b", "split": "test"} for n in range(10, 14)]
    (tmp_path / "p.tsv").write_text("id\tx\n" + "".join(f"{n}\tb\n" for n in range(10, 14)))
    data = read(rows)
    result = evaluate(read_predictions(tmp_path / "p.tsv", data), metrics=["accuracy"])
    assert result.baselines[0].based_on == "train"


def test_item_scores_are_measured_against_a_system():
    scores = {"model": [0.5, 0.7], "identity": [0.2, 0.2]}
    result = evaluate(None, scores)
    assert [row.baseline for row in result.baselines] == ["identity"]
    assert result.error_reduction[0].value == pytest.approx((0.6 - 0.2) / 0.8)
    assert evaluate(None, {"m": [0.5, 0.7], "copy": [0.2, 0.2]}, baseline="copy").baselines[0].value == 0.2
    with pytest.raises(UsageError, match=r"No system 'cpy'\. Did you mean 'copy'"):
        evaluate(None, {"m": [0.5, 0.7], "copy": [0.2, 0.2]}, baseline="cpy")


def test_a_perfect_baseline_leaves_nothing_to_reduce():
    assert math.isnan(error_reduction(Interval(1.0, 0.9, 1.0), 1.0)[0])


def test_scales_that_do_not_end_at_one_have_no_error_reduction():
    result = evaluate(None, {"x": [20.0, 30.0], "identity": [10.0, 10.0]})
    assert math.isnan(result.error_reduction[0].value)
    assert result.error_reduction[0].reason == "mean-score is not on a scale up to 1"
