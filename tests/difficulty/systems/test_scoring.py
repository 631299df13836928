from __future__ import annotations

import numpy as np
import pytest
from tests.marks import unmarked_fields

from assay.difficulty import SystemOnCases, SystemOnTexts, score_on_cases, score_on_texts

CASES, GOLD = ["Po", "Pn", "No", "Nn", ""], ["1", "1", "0", "0", "1"]


def test_every_system_has_a_row_and_random_guessing_comes_last():
    predicted = {"perfect": GOLD, "lexical": ["1", "0", "0", "1", "0"]}
    rows = score_on_cases(CASES, GOLD, predicted, positive="1", average_precisions={"perfect": 0.9})
    assert [row.system for row in rows] == ["perfect", "lexical", "(random guesser)"]
    assert (rows[0].F1_n, rows[1].F1_o, rows[1].F1_n, rows[2].TPR_n) == (1, 1, 0, 0.5)
    assert (rows[0].MAP, rows[1].MAP) == (0.9, None)
    assert rows[1].to_dict()["F1"] == pytest.approx(2 / (2 + 1 + 2))


def test_unanswered_items_are_left_out_and_counted():
    row = score_on_cases(CASES, GOLD, {"x": ["1", None, "0", None, "1"]}, positive="1")[0]
    assert (row.TPR_o, row.n_items, row.n_missing) == (1, 3, 2)
    assert np.isnan(row.TPR_n)


def test_an_unknown_label_is_negative():
    assert score_on_cases(CASES, GOLD, {"x": ["maybe"] * 5}, positive="1")[0].F1 == 0


def test_grades_are_cut_in_gold_and_predictions_alike():
    row = score_on_cases(["Po", "No"], ["5", "3.5"], {"x": ["4.1", "3.9"]}, positive_from=4)[0]
    assert row.F1 == 1


def test_single_texts_get_accuracies():
    rows = score_on_texts(["o", "o", "n", "n", ""], list("abcab"), {"x": ["a", "a", "c", None, "a"]})
    assert (rows[0].accuracy_o, rows[0].accuracy_n, rows[0].accuracy, rows[0].n_missing) == (1 / 2, 1, 1 / 2, 1)
    assert rows[-1].accuracy == pytest.approx(1 / 3)


def test_rows_survive_json_and_their_text_is_marked():
    rows = score_on_cases(CASES, GOLD, {"x": GOLD}, positive="1", average_precisions={"x": 0.5})
    assert [SystemOnCases.from_dict(row.to_dict()) for row in rows] == rows
    assert next(iter(rows[0].to_dict())) == "system"
    texts = score_on_texts(["o", "n"], ["a", "b"], {"x": ["a", "a"]})
    assert [SystemOnTexts.from_dict(row.to_dict()) for row in texts] == texts
    assert list(unmarked_fields(SystemOnCases)) == list(unmarked_fields(SystemOnTexts)) == []
