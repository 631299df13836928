from __future__ import annotations

import pytest

from assay.base.errors import AssayError, UsageError
from assay.difficulty import polarity, usual_positive


@pytest.mark.parametrize("labels", [["1", "0"], [1, 0], [True, False], ["Yes", "No"], ["duplicate", "not_duplicate"]])
def test_usual_names_are_recognised(labels):
    assert polarity(labels).positive.tolist() == [True, False]


def test_a_named_label_is_positive_and_all_others_negative():
    result = polarity(["a", "b", "c", None, float("nan")], positive="b")
    assert result.positive.tolist() == [False, True, False, False, False]
    assert result.labelled.tolist() == [True, True, True, False, False]


def test_two_usual_names_decide_nothing():
    assert usual_positive(["similar", "same"]) is None


def test_what_cannot_be_decided_is_an_error():
    with pytest.raises(UsageError, match=r"Which label is positive: left or right\? Name it with positive="):
        polarity(["left", "right"])
    with pytest.raises(UsageError, match=r"There are 3 labels: a, b, c\. Name the positive one with positive="):
        polarity(["a", "b", "c"])
    with pytest.raises(AssayError, match=r"No item has the label 'd'\. Labels: a, b"):
        polarity(["a", "b"], positive="d")
    with pytest.raises(AssayError, match="positive_from needs labels that are numbers, and 'a' is not a number"):
        polarity(["a", "4"], positive_from=4)
    with pytest.raises(UsageError, match="not both"):
        polarity(["a", "b"], positive="a", positive_from=1)
