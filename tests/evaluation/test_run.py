from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest
from tests.marks import unmarked_fields
from threadpoolctl import threadpool_limits

import assay
from assay.base.codec import from_plain, to_json
from assay.base.errors import AssayError, UsageError, name_flag
from assay.evaluation import Evaluation, Predictions, evaluate, evaluate_arrays, read_predictions
from assay.evaluation.scoring import workers

ROWS = [{"id": f"i{n}", "text": f"text {n}", "label": "ab"[n % 2], "topic": f"t{n % 3}"} for n in range(30)]
ANSWERS = {"x": ["ab"[n % 2 if n % 5 else 0] for n in range(30)], "y": ["ab"[n % 2 if n % 3 else 0] for n in range(30)]}


def test_arrays_as_scikit_learn_takes_them_are_enough():
    result = evaluate_arrays(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]))
    assert (result.systems[0].system, result.metric, result.positive) == ("system", "f1", "1")
    assert result.systems[0].value == pytest.approx(2 / 3)
    assert result.systems[0].n == 4


def test_it_is_a_function_of_the_package_and_takes_files_frames_datasets_and_arrays(tmp_path):
    frame = pl.DataFrame(ROWS)
    frame.write_csv(tmp_path / "data.csv")
    answers = pl.DataFrame({"id": [row["id"] for row in ROWS], **ANSWERS})
    answers.write_csv(tmp_path / "answers.csv")
    expected = assay.evaluate(ROWS, ANSWERS, by="topic").to_dict()
    for data in (tmp_path / "data.csv", str(tmp_path / "data.csv"), frame, assay.read(frame)):
        for predictions in (tmp_path / "answers.csv", [tmp_path / "answers.csv"], answers, ANSWERS):
            assert assay.evaluate(data, predictions, by=["topic"]).to_dict() == expected
    ready = read_predictions(ANSWERS, assay.read(frame))
    assert assay.evaluate(None, ready, by="topic").to_dict() == expected
    assert assay.evaluate(frame, ready, by="topic").to_dict() == expected


def test_columns_of_the_data_can_be_named():
    rows = [{"key": row["id"], "words": row["text"], "kind": row["label"]} for row in ROWS]
    result = evaluate(rows, ANSWERS, id="key", text="words", label="kind", metrics="accuracy")
    assert result.systems[0].value == evaluate(ROWS, ANSWERS, metrics="accuracy").systems[0].value
    with pytest.raises(UsageError, match="label cannot be given for a Dataset"):
        evaluate(assay.read(ROWS), ANSWERS, label="kind")


def test_predictions_read_with_other_data_are_refused():
    ready = read_predictions(ANSWERS, assay.read(ROWS))
    with pytest.raises(UsageError, match="These predictions were read with other data"):
        evaluate([{**row, "label": "a"} for row in ROWS], ready)
    with pytest.raises(UsageError, match="These predictions were read with other data"):
        evaluate(ROWS, Predictions.from_arrays(["a", "b"], {"x": ["a", "b"]}))


def test_systems_can_be_chosen():
    assert [system.system for system in evaluate(ROWS, ANSWERS, systems=["y"]).systems] == ["y"]
    ready = read_predictions(ANSWERS, assay.read(ROWS))
    assert [system.system for system in evaluate(None, ready, systems=["y"]).systems] == ["y"]


def test_more_labels_are_compared_by_macro_f1():
    result = evaluate_arrays(list("abcabc"), {"x": list("abcabb")})
    assert result.metric == "macro-f1"
    assert list(result.systems[0].metrics) == ["accuracy", "macro-f1", "mcc"]
    assert evaluate_arrays(list("abc"), {"x": list("abc")}, metrics="f1").metric == "macro-f1"


def test_every_class_has_scores_and_the_confusion_matrix_counts_them():
    classes = evaluate_arrays(list("aabb"), {"x": list("abbb")}).systems[0].classes
    assert classes.matrix == [[1, 1], [0, 2]]
    rows = [(row.label, row.precision.value, row.recall.value, row.n_gold, row.n_predicted) for row in classes.scores]
    assert rows == [("a", 1.0, 0.5, 2, 1), ("b", 2 / 3, 1.0, 2, 3)]
    assert classes.to_frame()["label"].to_list() == ["a", "b"]


def test_one_class_only_is_defined_where_it_can_be():
    result = evaluate_arrays(["a"] * 5, {"x": ["a"] * 5})
    assert result.systems[0].metrics["accuracy"].value == 1.0
    assert math.isnan(result.systems[0].metrics["mcc"].value)
    assert result.systems[0].metrics["mcc"].reason == "gold or predictions have one class only"


def test_constant_ranking_scores_keep_file_order():
    ranks, groups = {"x": [1.0] * 4}, ["q", "q", "r", "r"]
    result = evaluate_arrays(["0", "1", "1", "0"], {"x": ["1"] * 4}, ranking_scores=ranks, groups=groups, metrics="map")
    assert result.systems[0].value == pytest.approx(0.75)


def test_grades_are_correlated():
    gold = [number / 2 for number in range(12)]
    result = evaluate_arrays(gold, {"x": [value + 0.1 for value in gold]})
    assert list(result.systems[0].metrics) == ["spearman", "pearson", "rmse"]
    assert result.systems[0].value == pytest.approx(1.0)
    assert result.systems[0].classes is None


def test_item_scores_have_means_intervals_and_comparisons():
    generator = np.random.default_rng(0)
    base = generator.random(200)
    result = evaluate_arrays(None, {"x": np.clip(base + 0.1, 0, 1), "y": base})
    assert result.metric == "mean-score"
    assert result.systems[0].low < result.systems[0].value < result.systems[0].high
    assert result.comparisons[0].p_permutation < 0.001
    assert result.comparisons[0].only_first is None


def test_thousands_of_different_item_scores_are_compared():
    base = np.random.default_rng(0).random(1500)
    (pair,) = evaluate_arrays(None, {"x": base, "y": base[::-1]}, n_permutations=50).comparisons
    assert pair.p_permutation == 1.0


def test_undefined_item_scores_are_missing():
    system = evaluate_arrays(None, {"x": [1.0, math.nan, 0.0]}).systems[0]
    assert (system.value, system.n, system.n_missing) == (0.5, 2, 1)


def test_systems_are_ranked_and_the_smaller_loss_is_better():
    gold = [0.5, 1.0, 2.5, 3.0]
    result = evaluate_arrays(gold, {"far": [3, 3, 3, 3], "near": [0.4, 1.0, 2.4, 3.0]}, metrics="rmse")
    assert {system.system: system.rank for system in result.systems} == {"far": 2, "near": 1}


def test_the_positive_label_is_mentioned_with_the_reason():
    assert evaluate_arrays(["no", "yes"], {"x": ["no", "yes"]}).notes == ("Positive label: 'yes' (by its name).",)
    assert evaluate_arrays(["left", "right"], {"x": ["left", "left"]}).notes == (
        "Positive label: 'right' (the last of two).",
    )


def test_several_processes_give_the_same_result(monkeypatch):
    monkeypatch.setattr(workers, "MIN_DRAWS", 0)
    generator = np.random.default_rng(0)
    scores = {name: generator.random(40) for name in "xyz"}
    scores["z"][:3] = np.nan  # pairs with z are compared on fewer items
    options = {"interval": "bca", "n_resamples": 100, "n_permutations": 100}
    alone = evaluate_arrays(None, scores, **options).to_dict()
    assert evaluate_arrays(None, scores, n_jobs=2, **options).to_dict() == alone
    assert evaluate_arrays(None, scores, n_jobs=2, backend="threads", **options).to_dict() == alone


def test_the_number_of_threads_does_not_change_the_result():
    scores = dict(zip("xy", np.random.default_rng(0).random((2, 19_993)), strict=True))
    results = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            results.append(evaluate_arrays(None, scores, n_permutations=20, n_resamples=200).to_dict())
    assert results[0] == results[1]


def test_the_result_is_json_with_stable_keys():
    plain = json.loads(to_json(evaluate_arrays(list("aabb"), {"x": list("abbb"), "y": list("aaaa")})))
    assert list(plain) == [
        "systems", "metric", "n_items", "n_systems", "labels", "positive", "missing_predictions", "resampled",
        "smallest_difference", "baselines", "error_reduction", "comparisons", "n_pairs", "correction", "by", "new_sample",
        "notes", "repeats", "power", "human", "contrast", "left_out",
    ]  # fmt: skip
    assert list(plain["systems"][0])[:6] == ["system", "metric", "value", "low", "high", "n"]
    assert list(plain["systems"][0]["metrics"]["accuracy"]) == ["value", "low", "high", "n", "method", "reason"]


def test_the_result_is_read_back_from_json():
    result = evaluate(ROWS, ANSWERS, by=["topic", "label", "length"], baseline="y")
    plain = json.loads(to_json(result))
    copy = from_plain(Evaluation, plain)
    assert copy.to_dict() == plain
    assert copy.by.columns["label"] == result.by.columns["label"]
    assert repr(copy) == repr(result)


def test_text_of_the_data_is_marked():
    own = [name for name in unmarked_fields(Evaluation) if not name.startswith(("Correlation", "System", "CaseRates"))]
    assert [name for name in own if not name.startswith("Interval")] == []


def test_a_frame_has_one_row_per_system_and_metric():
    result = evaluate_arrays(list("aabb"), {"x": list("abbb"), "y": list("aabb")})
    frame = result.to_frame()
    assert frame.columns[:5] == ["system", "metric", "value", "low", "high"]
    assert frame.height == 2 * len(result.systems[0].metrics)
    assert result.systems[0].to_frame()["metric"].to_list() == list(result.systems[0].metrics)


def test_the_representation_names_the_best_systems():
    systems = {f"s{n}": list("aabb"[:n] + "b" * (4 - n)) for n in range(5)}
    text = repr(evaluate_arrays(list("aabb"), systems, metrics="accuracy"))
    assert text.startswith("Evaluation: 5 systems on 4 items, accuracy: s2 1.000 [")
    assert text.endswith(", 2 more")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate_arrays(["a", "b"], {"x": ["a"]}), "System 'x' has 1 predictions for 2 items"),
        (lambda: evaluate_arrays(["a", "b"], {}), r"There are no predictions\. Give an array"),
        (
            lambda: evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, metrics=["acuracy"]),
            r"No metric 'acuracy'\. Did you mean 'accuracy'",
        ),
        (
            lambda: evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, positive="c"),
            r"No item has the label 'c'\. Labels: a, b",
        ),
        (
            lambda: evaluate_arrays(list("abc"), {"x": list("abc")}, metrics="map"),
            r"map needs to know which label is positive\. Name it with positive=",
        ),
        (
            lambda: evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, missing_predictions="skp"),
            "No way with missing predictions 'skp'",
        ),
        (
            lambda: evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, confidence=95),
            "confidence is 95; it must lie between 0 and 1",
        ),
    ],
)
def test_mistakes_are_errors_that_say_what_is_wrong(call, message):
    with pytest.raises((AssayError, UsageError), match=message) as caught:
        call()
    assert "--" not in str(caught.value)
    assert "=" not in caught.value.phrase(name_flag)
