"""What people try first in Python, without having read the documentation, works or says what to do instead."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

import assay
from assay.base.errors import UnknownArgumentError

FRAME = pd.DataFrame(
    {
        "text": ["a good film", "a bad film", "what a fine day", "no rain at all", "good", "never again"],
        "label": ["p", "n", "p", "n", "p", "n"],
    }
)
PARTS = FRAME.assign(split=["train"] * 4 + ["test"] * 2)
ANSWERS = {"x": ["p", "n", "p", "n", "p", "p"], "y": ["p", "n", "n", "n", "p", "p"]}


@pytest.fixture(scope="module")
def audit():
    return assay.audit(FRAME, only="profile")


def test_one_section_is_named_by_a_string(audit):
    assert audit.settings.sections == ("profile",)


@pytest.mark.parametrize(
    ("call", "keyword", "name"),
    [
        (lambda **names: assay.compare(FRAME, FRAME, n_permutations=2, **names), "include", "words"),
        (lambda **names: assay.audit_judges({"id": [1, 2], "x": ["a", "b"], "y": ["a", "a"]}, **names), "judges", "x"),
        (
            lambda **names: assay.repair(FRAME, suspects=pd.DataFrame({"id": ["0"], "suspicion": [0.9]}), **names),
            "drop",
            "suspects",
        ),
        (lambda **names: assay.train(PARTS, **names), "predict", "test"),
        (lambda **names: assay.split(PARTS, "random", n_splits=2, **names), "parts", "train"),
        (lambda **names: assay.evaluate(FRAME, ANSWERS, n_resamples=20, **names), "systems", "x"),
    ],
)
def test_a_string_is_a_list_of_one(call, keyword, name):
    assert call(**{keyword: name}) == call(**{keyword: [name]})


def test_an_audit_has_a_class_that_can_be_imported(audit):
    assert isinstance(audit, assay.Audit)


def test_an_audit_shows_its_verdict(audit):
    assert repr(audit) == f"Audit: {audit.verdict}"


@pytest.mark.parametrize("name", ["audit.json", "audit.html", "audit.md", "audit.csv", "audit.tex"])
def test_an_audit_is_saved_by_the_end_of_the_name(audit, name, tmp_path):
    audit.save(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 0


def test_an_audit_becomes_json_html_and_a_frame(audit):
    assert json.loads(audit.to_json())["verdict"] == audit.verdict
    assert audit.to_html().startswith("<!doctype html>")
    assert set(audit.to_frame("pandas").columns) >= {"code", "severity", "claim"}


def test_two_audits_or_their_files_are_compared(audit, tmp_path):
    audit.save(tmp_path / "old.json")
    for old in (audit, tmp_path / "old.json", str(tmp_path / "old.json")):
        result = assay.diff(old, audit)
        assert result.same_data
        assert not result.new
    assert "the same" in repr(result)


def test_errors_are_caught_by_their_class():
    with pytest.raises(assay.AssayError):
        assay.read({"text": []})
    assert issubclass(assay.AssayError, ValueError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assay.profile(FRAME, labels="label"), "profile has no argument 'labels'. Did you mean 'label'?"),
        (lambda: assay.read(FRAME, texts="text"), "read has no argument 'texts'. Did you mean 'text'?"),
        (lambda: assay.audit(FRAME, seed=1), "audit has no argument 'seed'. Did you mean 'random_state'?"),
        (lambda: assay.audit(FRAME, jobs=2), "audit has no argument 'jobs'. Did you mean 'n_jobs'?"),
        (
            lambda: assay.evaluate(FRAME, ANSWERS, resamples=10),
            "evaluate has no argument 'resamples'. Did you mean 'n_resamples'?",
        ),
        (lambda: assay.rate_votes({}, winners="w"), "rate_votes has no argument 'winners'. Did you mean 'winner'?"),
    ],
)
def test_an_unknown_argument_names_the_nearest_one(call, message):
    with pytest.raises(UnknownArgumentError) as caught:
        call()
    assert str(caught.value) == message
    assert isinstance(caught.value, TypeError)


def test_a_parameter_of_a_split_names_the_nearest_one():
    with pytest.raises(assay.AssayError, match="Did you mean 'n_splits'"):
        assay.split(FRAME, "random", n_folds=2)
    with pytest.raises(assay.AssayError, match="Did you mean 'label'"):
        assay.split(FRAME, "random", n_splits=2, labels="label")


@pytest.mark.parametrize(
    ("package", "function"),
    [
        ("suspects", "find_suspects"),
        ("difficulty", "rate_difficulty"),
        ("information", "measure_information"),
        ("contamination", "find_contamination"),
        ("votes", "rate_votes"),
        ("judges", "audit_judges"),
        ("forecast", "forecast_discrimination"),
    ],
)
def test_calling_a_package_names_its_function(package, function):
    assert callable(getattr(assay, function))
    with pytest.raises(TypeError, match=rf"assay\.{package} is a package. Call assay\.{function}\(…\)\."):
        getattr(assay, package)(FRAME)


def test_packages_are_attributes_without_an_import_of_their_own():
    code = "import assay; print(assay.suspects.__name__, hasattr(assay, 'nothing'))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["assay.suspects", "False"]


@pytest.mark.parametrize("second", [FRAME.iloc[:3], pl.DataFrame(FRAME.to_dict("list")), assay.read(FRAME)])
def test_two_frames_are_compared_as_train_and_test(second):
    result = assay.compare(FRAME, second, include=["words"], n_permutations=5)
    assert list(result["given"].parts) == ["train", "test"]


@pytest.mark.parametrize("name", ["metric", "metrics"])
def test_metrics_have_either_name(name):
    result = assay.evaluate(FRAME, ANSWERS, **{name: "accuracy"}, n_resamples=20, baselines=False)
    assert result.metric == "accuracy"


def test_settings_are_an_object_or_keywords():
    from assay.evaluation import EvaluationSettings

    settings = EvaluationSettings(metrics="accuracy", n_resamples=20, baselines=False)
    by_object = assay.evaluate(FRAME, ANSWERS, settings=settings)
    assert by_object == assay.evaluate(FRAME, ANSWERS, metrics=["accuracy"], n_resamples=20, baselines=False)
    assert [row.system for row in assay.evaluate(FRAME, ANSWERS, settings=settings, systems="y").systems] == ["y"]


def test_votes_given_as_scores_are_rated():
    votes = {"model_a": list("xxxxyyyy"), "model_b": list("yyyyzzzz"), "won": list("aaabaabb")}
    result = assay.discriminate(votes, winner="won")
    assert [row.system for row in result.ratings] == ["x", "y", "z"]


def test_a_dataset_is_handled_like_a_frame():
    data = assay.read(FRAME)
    assert data.shape == (6, 3)
    assert data.columns == ["id", "text", "label"]
    assert data.head(2)["text"].to_list() == ["a good film", "a bad film"]
    assert data["label"].to_list() == FRAME["label"].to_list()
    assert data[-1] == {"id": "5", "text": "never again", "label": "n"}
    assert data[1:3].ids.to_list() == ["1", "2"]
    assert len(list(data)) == 6
    assert list(data.to_pandas().columns) == data.to_frame().columns
    with pytest.raises(assay.AssayError, match="no column 'stars'"):
        data["stars"]
    with pytest.raises(IndexError):
        data[6]


@pytest.mark.parametrize(
    "name", ["read", "profile", "split", "compare", "train", "evaluate", "rate_difficulty", "find_suspects"]
)
def test_roles_are_named_in_every_function_that_takes_data(name):
    frame = FRAME.rename(columns={"text": "said", "label": "kind"})
    options = {
        "split": {"method": "random", "n_splits": 2},
        "compare": {"folds": FRAME, "n_permutations": 5, "include": ["words"]},
        "train": {"models": "linear"},
        "evaluate": {"predictions": ANSWERS, "baselines": False},
        "find_suspects": {"text_model": False, "predictions": ANSWERS},
        "rate_difficulty": {"measure": "length"},
    }.get(name, {})
    if name == "compare":
        options["folds"] = frame
    getattr(assay, name)(frame, **options, text="said", label="kind")


def test_no_function_has_more_than_about_fifteen_parameters():
    for name in assay.__all__:
        function = getattr(assay, name)
        if inspect.isfunction(function):
            assert len(inspect.signature(function).parameters) <= 16, name


def test_gold_and_answers_are_arrays_as_in_scikit_learn():
    gold, answers = FRAME["label"], ANSWERS["x"]
    expected = assay.evaluate(FRAME, {"system": answers}, baselines=False).systems[0].metrics["accuracy"]
    for first in (gold, gold.to_list(), gold.to_numpy(), pl.Series(gold.to_list())):
        result = assay.evaluate(first, answers, baselines=False)
        assert result.systems[0].metrics["accuracy"].value == pytest.approx(expected.value)
    assert [row.system for row in assay.evaluate(gold.to_list(), ANSWERS, baselines=False).systems] == ["x", "y"]
    with pytest.raises(assay.AssayError):
        assay.evaluate(FRAME["text"].to_list(), answers)


@pytest.mark.parametrize("texts", [FRAME["text"], FRAME["text"].to_numpy(), pl.Series(FRAME["text"].to_list())])
def test_a_series_or_an_array_of_texts_is_read(texts):
    assert assay.read(texts).texts.to_list() == FRAME["text"].to_list()


def test_texts_and_labels_as_two_arguments_are_named_as_one_table():
    with pytest.raises(UnknownArgumentError, match=r'one table: \{"text": texts, "label": labels\}'):
        assay.read(FRAME["text"], FRAME["label"])
    with pytest.raises(UnknownArgumentError, match="profile takes data without a name"):
        assay.profile(FRAME["text"], FRAME["label"])


@pytest.mark.parametrize(("name", "nearest"), [("target", "label"), ("label_column", "label"), ("text_column", "text")])
def test_arguments_of_other_libraries_name_ours(name, nearest):
    with pytest.raises(UnknownArgumentError, match=f"Did you mean '{nearest}'"):
        assay.profile(FRAME, **{name: "x"})


def test_folds_are_iterated_as_in_scikit_learn():
    result = assay.split(FRAME, "random", n_splits=3)
    tested = [row for train, test in result for row in test.tolist() if row not in train]
    assert sorted(tested) == list(range(6))
    ((train, test),) = assay.split(FRAME, "random", test_size=2)
    assert (len(train), len(test)) == (4, 2)


def test_columns_are_selected_by_a_list_of_names():
    assert assay.read(FRAME)[["label", "text"]].columns == ["label", "text"]
    with pytest.raises(assay.AssayError, match="no column 'stars'"):
        assay.read(FRAME)[["text", "stars"]]


@pytest.mark.parametrize("name", ["filter", "describe", "sample", "tail", "write_csv"])
def test_methods_of_frames_are_found_through_the_frame(name):
    data = assay.read(FRAME)
    with pytest.raises(AttributeError, match=rf"Call data\.to_frame\(\)\.{name}; data\[rows\] keeps a Dataset"):
        getattr(data, name)
    assert not hasattr(data, "nothing")


def test_every_table_becomes_polars_or_pandas():
    data, result = assay.read(FRAME), assay.evaluate(FRAME, ANSWERS, n_resamples=20, baselines=False)
    for table in (data, result):
        assert table.to_polars().equals(table.to_frame())
        assert list(table.to_pandas().columns) == table.to_polars().columns
