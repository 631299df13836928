"""Datasets recommended for a benchmark."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.forecast.test_forecasting import make_table

from assay.base.errors import AssayError
from assay.cli.main import status
from assay.forecast import recommend_datasets
from assay.forecast.recommendation import (
    Candidate,
    Recommendation,
    list_evidence_candidates,
    measure_similarity,
    order_candidates,
)
from assay.views.values import Interval


def make_candidate(name, percentile, place, *, n_words=100, texts=()):
    keys = frozenset(hash(text) for text in texts)
    features = np.full(50, float(place))
    return Candidate(name, "forecast", 1.0, Interval(10.0, 5.0, 20.0), percentile, 10, n_words, False, features, keys)


def test_a_copy_of_the_best_dataset_comes_last():
    best, copy, other = make_candidate("best", 90, 0), make_candidate("copy", 89, 0), make_candidate("other", 40, 50)
    choices = order_candidates([copy, other, best], [], 2)
    assert [(choice.data, choice.recommended) for choice in choices] == [
        ("best", True),
        ("other", True),
        ("copy", False),
    ]
    assert (choices[0].redundancy, choices[0].most_similar) == (0.0, None)
    assert choices[1].gain == pytest.approx(0.4)
    assert (choices[2].redundancy, choices[2].most_similar, choices[2].gain) == (1.0, "best", 0.0)


def test_datasets_the_benchmark_has_count_for_redundancy():
    choices = order_candidates(
        [make_candidate("a", 90, 0), make_candidate("b", 50, 50)], [make_candidate("c", 1, 0)], 1
    )
    assert [choice.data for choice in choices] == ["b", "a"]
    assert choices[1].most_similar == "c"


def test_a_dataset_that_does_not_fit_the_budget_is_passed_over():
    candidates = [make_candidate("long", 90, 0, n_words=1000), make_candidate("short", 50, 50, n_words=10)]
    choices = order_candidates(candidates, [], 1, max_words=100)
    assert [(choice.data, choice.recommended) for choice in choices] == [("long", False), ("short", True)]


def test_shared_texts_make_datasets_similar_whatever_their_features():
    first = make_candidate("first", 50, 0, texts=["a", "b", "c", "d"])
    second = make_candidate("second", 50, 50, texts=["c", "d", "e", "f", "g"])
    assert measure_similarity(first, second) == 0.5
    assert measure_similarity(first, first) == 1.0


def test_the_shipped_evidence_is_ranked_without_data():
    found = recommend_datasets(k=4)
    assert len(found.choices) == len(list_evidence_candidates())
    assert [choice.rank for choice in found.choices] == list(range(1, len(found.choices) + 1))
    assert [choice.recommended for choice in found.choices].count(True) == 4
    assert found.choices[0].percentile_sva == max(choice.percentile_sva for choice in found.choices)
    assert {choice.basis for choice in found.choices} == {"measured"}
    assert Recommendation.from_dict(found.to_dict()) == found


def test_data_of_the_user_is_forecast_and_ranked():
    tables = [make_table(1200, signal=60), make_table(1200, signal=2, seed=1), make_table(1200, signal=2, seed=1)]
    found = recommend_datasets(tables, 2)
    assert {choice.basis for choice in found.choices} == {"forecast"}
    assert found.choices[0].lambda_sva.value == max(choice.lambda_sva.value for choice in found.choices)
    assert found.choices[-1].redundancy == 1.0


def test_a_number_below_one_is_an_error():
    with pytest.raises(AssayError, match="at least 1, not 0"):
        recommend_datasets(k=0)


def test_the_command_prints_and_writes_the_ranking(tmp_path, capsys):
    assert status(["forecast", "--recommend", "3", "--json", str(tmp_path / "ranking.json")]) == 0
    assert "Recommended: 3 of" in capsys.readouterr().out
    choices = json.loads((tmp_path / "ranking.json").read_text(encoding="utf-8"))["result"]["choices"]
    assert [choice["rank"] for choice in choices if choice["recommended"]] == [1, 2, 3]


def test_options_of_a_recommendation_need_it(capsys):
    assert status(["forecast", "--max-words", "3"]) == 2
    assert "--chosen and --max-words need --recommend" in capsys.readouterr().err
