from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.base.codec import to_json
from assay.base.errors import AssayError, UsageError
from assay.evaluation import evaluate


def test_arrays_as_scikit_learn_has_them_are_enough():
    result = evaluate(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]))
    assert (result.systems[0].system, result.metric, result.positive) == ("system", "f1", "1")
    assert result.systems[0].value == pytest.approx(2 / 3)
    assert result.systems[0].n == 4


def test_more_labels_are_compared_by_macro_f1():
    result = evaluate(list("abcabc"), {"x": list("abcabb")})
    assert result.metric == "macro-f1"
    assert list(result.systems[0].metrics) == ["accuracy", "macro-f1", "mcc"]
    assert "f1" not in result.systems[0].metrics
    assert evaluate(list("abc"), {"x": list("abc")}, metrics=["f1"]).metric == "macro-f1"


def test_every_class_and_the_confusion_matrix_are_told():
    classes = evaluate(list("aabb"), {"x": list("abbb")}).systems[0].classes
    assert classes.matrix == [[1, 1], [0, 2]]
    assert [
        (row.label, row.precision.value, row.recall.value, row.n_gold, row.n_predicted) for row in classes.scores
    ] == [
        ("a", 1.0, 0.5, 2, 1),
        ("b", 2 / 3, 1.0, 2, 3),
    ]


def test_one_class_only_is_defined_where_it_can_be():
    result = evaluate(["a"] * 5, {"x": ["a"] * 5})
    assert result.systems[0].metrics["accuracy"].value == 1.0
    assert math.isnan(result.systems[0].metrics["mcc"].value)
    assert result.systems[0].metrics["mcc"].reason == "gold or predictions have one class only"


def test_constant_ranking_scores_keep_file_order():
    result = evaluate(
        ["0", "1", "1", "0"], {"x": ["1"] * 4}, scores={"x": [1.0] * 4}, groups=["q", "q", "r", "r"], metrics=["map"]
    )
    assert result.systems[0].value == pytest.approx(0.75)


def test_grades_are_correlated():
    gold = [number / 2 for number in range(12)]
    result = evaluate(gold, {"x": [number / 2.1 + 0.3 for number in range(12)]})
    assert list(result.systems[0].metrics) == ["spearman", "pearson", "rmse"]
    assert result.systems[0].value == pytest.approx(1.0)
    assert result.systems[0].classes is None


def test_twenty_numbered_classes_are_classes():
    gold = [str(number % 20) for number in range(60)]
    assert evaluate(gold, {"x": gold}).systems[0].metrics["accuracy"].value == 1


def test_item_scores_have_means_intervals_and_comparisons():
    generator = np.random.default_rng(0)
    base = generator.random(200)
    result = evaluate(None, {"x": np.clip(base + 0.1, 0, 1), "y": base})
    assert result.metric == "mean-score"
    assert result.systems[0].low < result.systems[0].value < result.systems[0].high
    assert result.comparisons[0].p_permutation < 0.001
    assert result.comparisons[0].only_first is None


def test_undefined_item_scores_are_missing():
    found = evaluate(None, {"x": [1.0, math.nan, 0.0]}).systems[0]
    assert (found.value, found.n, found.n_missing) == (0.5, 2, 1)


def test_systems_are_ranked_and_the_smaller_loss_is_better():
    gold = [0.5, 1.0, 2.5, 3.0]
    result = evaluate(gold, {"far": [3, 3, 3, 3], "near": [0.4, 1.0, 2.4, 3.0]}, metrics=["rmse"])
    assert {system.system: system.rank for system in result.systems} == {"far": 2, "near": 1}


def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(run, tmp_path):
    (tmp_path / "p.tsv").write_text(
        "id\tgold\tx\ty\n" + "".join(f"{n}\t{n % 3}\t{n % 2}\t{n % 3}\n" for n in range(50))
    )
    made = [
        run(
            "evaluate",
            "--predictions",
            tmp_path / "p.tsv",
            "--json",
            "-",
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin"},
        )
        for seed in ("1", "2")
    ]
    assert made[0].stdout == made[1].stdout
    assert json.loads(made[0].stdout)["result"]["n_items"] == 50


def test_the_result_is_json_with_stable_keys():
    told = json.loads(to_json(evaluate(list("aabb"), {"x": list("abbb"), "y": list("aaaa")})))
    assert list(told) == [
        "systems", "metric", "n_items", "n_systems", "labels", "positive", "missing_predictions", "resampled",
        "detectable", "baselines", "error_reduction", "comparisons", "correction", "by", "new_sample", "notes",
    ]  # fmt: skip
    assert list(told["systems"][0])[:6] == ["system", "metric", "value", "low", "high", "n"]


def test_a_frame_has_a_row_a_system_and_metric():
    frame = evaluate(list("aabb"), {"x": list("abbb")}).to_frame()
    assert frame.columns[:5] == ["system", "metric", "value", "low", "high"]
    assert "accuracy" in frame["metric"].to_list()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate(["a", "b"], {"x": ["a"]}), "System 'x' has 1 predictions for 2 items"),
        (lambda: evaluate(["a", "b"], {}), "No predictions: give an array"),
        (
            lambda: evaluate(["a", "b"], {"x": ["a", "b"]}, metrics=["acuracy"]),
            r"No metric 'acuracy'\. Did you mean 'accuracy'",
        ),
        (lambda: evaluate(["a", "b"], {"x": ["a", "b"]}, positive="c"), r"No item has the label 'c'\. Labels: a, b"),
        (
            lambda: evaluate(list("abc"), {"x": list("abc")}, metrics=["map"]),
            "map needs to know which label is positive",
        ),
        (lambda: evaluate(["a", "b"], {"x": ["a", "b"]}, missing="skp"), "No way with missing predictions 'skp'"),
        (
            lambda: evaluate(["a", "b"], {"x": ["a", "b"]}, confidence=95),
            "confidence is 95; it must lie between 0 and 1",
        ),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises((AssayError, UsageError), match=message):
        call()
