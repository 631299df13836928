from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.difficulty.pairs.annotators import compare_agreement, compare_time, read_ratings, read_seconds
from assay.statistics import fleiss_kappa


def test_less_agreement_on_non_obvious_items_is_found():
    random = np.random.default_rng(1)
    cases = ["Po", "No", "Pn", "Nn"] * 15
    gold = [case[0] for case in cases]
    ratings = [
        [g] * 3 if case[1] == "o" else random.choice(["P", "N"], 3).tolist()
        for g, case in zip(gold, cases, strict=True)
    ]
    result = compare_agreement(cases, ratings, n_permutations=999)
    assert result.obvious == 1
    assert result.difference == result.obvious - result.non_obvious > 0.5
    assert result.p == 1 / 1000
    assert result.total == pytest.approx(fleiss_kappa(ratings).value)
    assert result.n_items == dict.fromkeys(["Po", "Pn", "No", "Nn"], 15)
    assert compare_agreement(cases, ratings, n_permutations=999).to_dict() == result.to_dict()


def test_p_values_are_uniform_where_cases_are_random():
    random = np.random.default_rng(2)
    p = []
    for _ in range(200):
        cases = random.choice(["Po", "No", "Pn", "Nn"], 40)
        p.append(compare_time(cases, random.gamma(3, 4, (40, 2)), n_permutations=99).p)
    assert 0.01 <= np.mean(np.array(p) <= 0.05) <= 0.1
    assert np.mean(p) == pytest.approx(0.5, abs=0.08)


def test_time_counts_each_item_by_the_mean_of_its_annotators():
    result = compare_time(["Po", "No", "Pn", ""], np.array([[10, 20], [5, np.nan], [30, 40], [1, 1]]), n_permutations=9)
    assert (result.obvious, result.non_obvious, result.difference, result.n_left_out) == (10, 35, -25, 1)
    assert np.isnan(result.by_case["Nn"])


def test_one_kind_of_case_only_is_undefined():
    result = compare_time(["Po", "No"], np.ones((2, 1)))
    assert np.isnan([result.difference, result.p]).all()
    assert np.isnan(compare_agreement(["", ""], [["a", "b"], ["a", "a"]]).total)


def test_columns_become_rows():
    assert read_ratings({"annotator:x": ["1", None], "annotator:y": [" ", "0"]}) == [["1", None], [None, "0"]]
    assert np.isnan(read_seconds({"seconds:x": ["1.5", ""]})).tolist() == [[False], [True]]
    with pytest.raises(AssayError, match="column 'seconds:x': 'long' is not a number of seconds"):
        read_seconds({"seconds:x": ["long"]})
