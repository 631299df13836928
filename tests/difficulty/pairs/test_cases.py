from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.base.errors import AssayError, UsageError
from assay.difficulty import assign_cases
from assay.difficulty.pairs.cases import PairCases, assign_cases_by_label

items = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("01")), min_size=2, max_size=40)


def test_the_four_cases_by_hand():
    result = assign_cases([0.2, 0.5, 0.5, 0.9, 0.7], ["1", "1", "0", "0", "1"])
    assert result.median == 0.5
    assert result.cases.tolist() == ["Po", "Po", "Nn", "No", "Pn"]
    assert result.obvious_share.value == 3 / 5
    assert result.positive == "1"


def test_a_similarity_is_the_mirror_image():
    similarity = assign_cases([0.8, 0.5, 0.5, 0.1, 0.3], ["1", "1", "0", "0", "1"], similarity=True)
    assert similarity.cases.tolist() == ["Po", "Po", "Nn", "No", "Pn"]


def test_an_item_without_divergence_or_label_has_no_case_and_is_counted():
    result = assign_cases([0.1, np.nan, 0.9, 0.5], ["yes", "yes", None, "no"])
    assert result.cases.tolist() == ["Po", "", "", "Nn"]
    assert (result.median, result.n_undefined, result.n_unlabelled) == (0.5, 1, 1)


def test_split_cuts_each_part_at_its_own_median():
    divergence, labels, parts = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9], ["1"] * 5 + ["0"], ["train"] * 3 + ["test"] * 3
    whole = assign_cases(divergence, labels, parts=parts)
    apart = assign_cases(divergence, labels, parts=parts, threshold="split")
    assert whole.cases.tolist() == ["Po", "Po", "Po", "Pn", "Pn", "No"]
    assert apart.cases.tolist() == ["Po", "Po", "Pn", "Po", "Po", "No"]
    assert apart.cuts == {"train": 0.2, "test": 0.8}
    assert apart.by_part["test"].counts == {"Po": 2, "Pn": 0, "No": 1, "Nn": 0}


def test_a_number_is_a_threshold():
    assert assign_cases([0.1, 0.9], ["1", "0"], threshold=0.95).cases.tolist() == ["Po", "Nn"]
    assert assign_cases([0.1, 0.9], ["1", "0"], threshold="0.05").cases.tolist() == ["Pn", "No"]


def test_grades_become_two_classes():
    result = assign_cases([0.1, 0.2, 0.8, 0.9], ["5.0", "3.9", "4", "0"], positive_from=4)
    assert result.cases.tolist() == ["Po", "Nn", "Pn", "No"]
    assert result.positive == ">= 4"


def test_three_labels_give_one_result_per_label():
    results = assign_cases_by_label([0.1, 0.5, 0.9], ["entailment", "neutral", "contradiction"])
    assert list(results) == ["contradiction", "entailment", "neutral"]
    assert results["contradiction"].cases.tolist() == ["Nn", "Nn", "Pn"]


@given(items)
def test_every_item_has_one_case_and_the_order_of_rows_does_not_matter(items):
    divergence, labels = zip(*items, strict=True)
    forward = (
        assign_cases(divergence, labels, positive="1")
        if "1" in labels
        else assign_cases(divergence, labels, positive="0")
    )
    backward = assign_cases(divergence[::-1], labels[::-1], positive=forward.positive)
    assert sum(forward.counts.values()) == len(items)
    assert forward.cases.tolist() == backward.cases.tolist()[::-1]


def test_cases_survive_json():
    result = assign_cases([0.2, 0.9], ["1", "0"], parts=["train", "test"], threshold=0.5)
    assert PairCases.from_dict(result.to_dict()) == result
    assert "cases" not in result.to_dict()


def test_nothing_defined_is_nan():
    result = assign_cases([np.nan, np.nan], ["1", "0"])
    assert np.isnan(result.obvious_share.value)
    assert np.isnan(result.median)
    assert result.to_dict()["obvious_share"]["value"] is None


def test_no_items_are_an_error():
    with pytest.raises(UsageError, match="no item has one"):
        assign_cases([], [])


def test_wrong_settings_are_errors():
    with pytest.raises(UsageError, match=r"No threshold 'median'\. Known: dataset, split, or a number"):
        assign_cases([0.1, 0.2], ["1", "0"], threshold="median")
    with pytest.raises(AssayError, match="threshold needs parts, and the data has none"):
        assign_cases([0.1, 0.2], ["1", "0"], threshold="split")
    with pytest.raises(AssayError, match="2 divergences need as many labels; there are 1"):
        assign_cases([0.1, 0.2], ["1"])
    with pytest.raises(AssayError, match="2 divergences need as many parts; there are 1"):
        assign_cases([0.1, 0.2], ["1", "0"], parts=["train"])
