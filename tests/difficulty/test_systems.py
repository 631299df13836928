from __future__ import annotations

import numpy as np
import pytest

from assay.difficulty import systems_on_cases, systems_on_texts

CASES, GOLD = ["Po", "Pn", "No", "Nn", ""], ["1", "1", "0", "0", "1"]


def test_every_system_has_a_row_and_the_guesser_comes_last():
    predicted = {"perfect": GOLD, "lexical": ["1", "0", "0", "1", "0"]}
    rows = systems_on_cases(CASES, GOLD, predicted, positive="1", average_precisions={"perfect": 0.9})
    assert [row.system for row in rows] == ["perfect", "lexical", "(random guesser)"]
    assert (rows[0].rates.F1_n, rows[1].rates.F1_o, rows[1].rates.F1_n, rows[2].rates.TPR_n) == (1, 1, 0, 0.5)
    assert (rows[0].MAP, rows[1].MAP) == (0.9, None)
    assert rows[1].to_dict()["F1"] == pytest.approx(2 / (2 + 1 + 2))


def test_unanswered_items_are_left_out_and_counted():
    row = systems_on_cases(CASES, GOLD, {"x": ["1", None, "0", None, "1"]}, positive="1")[0]
    assert (row.rates.TPR_o, row.n_items, row.n_missing) == (1, 3, 2)
    assert np.isnan(row.rates.TPR_n)


def test_a_label_nobody_has_is_negative():
    assert systems_on_cases(CASES, GOLD, {"x": ["maybe"] * 5}, positive="1")[0].rates.F1 == 0


def test_grades_are_cut_in_gold_and_predictions_alike():
    row = systems_on_cases(["Po", "No"], ["5", "3.5"], {"x": ["4.1", "3.9"]}, positive_from=4)[0]
    assert row.rates.F1 == 1


def test_single_texts_get_accuracies():
    rows = systems_on_texts(["o", "o", "n", "n", ""], list("abcab"), {"x": ["a", "a", "c", None, "a"]})
    assert (rows[0].accuracy_o, rows[0].accuracy_n, rows[0].accuracy, rows[0].n_missing) == (1 / 2, 1, 1 / 2, 1)
    assert rows[-1].accuracy == pytest.approx(1 / 3)
