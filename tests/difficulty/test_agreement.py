from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as by_statsmodels

from assay.base.errors import AssayError
from assay.difficulty import agreement_by_case, fleiss_kappa, time_by_case
from assay.difficulty.agreement import ratings_of, seconds_of

tables = st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=2, max_size=20)


@given(tables)
def test_kappa_equals_that_of_statsmodels(ratings):
    if len({rating for row in ratings for rating in row}) < 2:
        assert np.isnan(fleiss_kappa(ratings))
        return
    assert fleiss_kappa(ratings) == pytest.approx(by_statsmodels(aggregate_raters(np.array(ratings))[0]))


def test_missing_ratings_leave_the_rest_in_place():
    full = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]]
    assert fleiss_kappa([*full, ["a", None, None], [None] * 3]) == fleiss_kappa(full)
    # two of three agree: ⅓ of the pairs; then 1, 1; labels 4 a and 4 b
    assert fleiss_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", None]]) == pytest.approx((7 / 9 - 0.5) / 0.5)


def test_less_agreement_on_non_obvious_items_is_found():
    random = np.random.default_rng(1)
    cases = ["Po", "No", "Pn", "Nn"] * 15
    gold = [case[0] for case in cases]
    ratings = [
        [g] * 3 if case[1] == "o" else random.choice(["P", "N"], 3).tolist()
        for g, case in zip(gold, cases, strict=True)
    ]
    result = agreement_by_case(cases, ratings, n_permutations=999)
    assert result.obvious == 1
    assert result.difference == result.obvious - result.non_obvious > 0.5
    assert result.p == 1 / 1000
    assert result.n_items == dict.fromkeys(["Po", "Pn", "No", "Nn"], 15)
    assert agreement_by_case(cases, ratings, n_permutations=999).to_dict() == result.to_dict()


def test_p_values_are_uniform_where_cases_mean_nothing():
    random = np.random.default_rng(2)
    p = []
    for _ in range(200):
        cases = random.choice(["Po", "No", "Pn", "Nn"], 40)
        p.append(time_by_case(cases, random.gamma(3, 4, (40, 2)), n_permutations=99).p)
    assert 0.01 <= np.mean(np.array(p) <= 0.05) <= 0.1
    assert np.mean(p) == pytest.approx(0.5, abs=0.08)


def test_time_counts_each_item_by_the_mean_of_its_annotators():
    result = time_by_case(["Po", "No", "Pn", ""], np.array([[10, 20], [5, np.nan], [30, 40], [1, 1]]), n_permutations=9)
    assert (result.obvious, result.non_obvious, result.difference, result.n_left_out) == (10, 35, -25, 1)
    assert np.isnan(result.by_case["Nn"])


def test_one_kind_of_case_only_is_undefined():
    result = time_by_case(["Po", "No"], np.ones((2, 1)))
    assert np.isnan([result.difference, result.p]).all()
    assert np.isnan(agreement_by_case(["", ""], [["a", "b"], ["a", "a"]]).total)


def test_columns_become_rows():
    assert ratings_of({"annotator:x": ["1", None], "annotator:y": [" ", "0"]}) == [["1", None], [None, "0"]]
    assert np.isnan(seconds_of({"seconds:x": ["1.5", ""]})).tolist() == [[False], [True]]
    with pytest.raises(AssayError, match="holds 'long', which is no number"):
        seconds_of({"seconds:x": ["long"]})
