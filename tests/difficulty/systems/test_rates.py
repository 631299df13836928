from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from assay.base.errors import AssayError
from assay.difficulty import compute_case_rates
from assay.difficulty.systems.rates import compute_chance_rates

items = st.lists(st.tuples(st.sampled_from(["Po", "Pn", "No", "Nn"]), st.booleans()), min_size=1, max_size=40)


def test_rates_by_hand():
    cases = ["Po"] * 4 + ["Pn"] * 2 + ["No"] * 3 + ["Nn"]
    gold = [case[0] == "P" for case in cases]
    rates = compute_case_rates(cases, gold, [1, 1, 1, 0, 0, 1, 0, 0, 1, 1])
    assert (rates.TPR_o, rates.TPR_n, rates.TNR_o, rates.TNR_n) == (3 / 4, 1 / 2, 2 / 3, 0)
    assert (rates.F1_o, rates.F1_n, rates.F1) == (6 / 8, 2 / 4, 8 / 12)
    assert rates.counts == {"Po": 4, "Pn": 2, "No": 3, "Nn": 1}
    assert rates.intervals["TPR_o"].low < 3 / 4 < rates.intervals["TPR_o"].high


@given(items)
def test_f1_equals_scikit_learn(items):
    cases, predicted = np.array([case for case, _ in items]), np.array([guess for _, guess in items])
    gold = np.char.startswith(cases, "P")
    rates = compute_case_rates(cases, gold, predicted)
    for value, kept in [(rates.F1, gold | ~gold), (rates.F1_o, np.isin(cases, ["Po", "No"]))]:
        expected = f1_score(gold[kept], predicted[kept], zero_division=np.nan) if kept.any() else np.nan
        assert value == pytest.approx(expected, nan_ok=True)


def test_an_item_without_case_counts_in_f1_of_all_only():
    rates = compute_case_rates(["Po", "", "No"], [True, True, False], [True, False, False])
    assert (rates.F1_o, rates.F1) == (1, 2 / 3)


def test_an_empty_case_is_undefined():
    rates = compute_case_rates(["No"], [False], [False])
    assert np.isnan([rates.TPR_o, rates.TPR_n, rates.TNR_n, rates.F1_o, rates.F1_n, rates.F1]).all()


def test_chance_rates_are_the_mean_of_many_random_answers():
    cases = np.array(["Po"] * 500 + ["Pn"] * 300 + ["No"] * 400 + ["Nn"] * 200 + [""] * 100)
    gold = np.concatenate([np.char.startswith(cases[:-100], "P"), np.arange(100) < 30])
    random = np.random.default_rng(0)
    drawn = [compute_case_rates(cases, gold, random.random(len(cases)) < 0.5) for _ in range(300)]
    expected = compute_chance_rates(cases, gold)
    for name in ("TPR_o", "TNR_n", "F1_o", "F1_n", "F1"):
        assert getattr(expected, name) == pytest.approx(np.mean([getattr(rates, name) for rates in drawn]), abs=0.005)


def test_wrong_input_is_an_error():
    with pytest.raises(AssayError, match="1 cases, 2 gold labels and 1 predictions"):
        compute_case_rates(["Po"], [True, False], [True])
    with pytest.raises(AssayError, match="The predicted labels must be True"):
        compute_case_rates(["Po"], [True], ["yes"])
