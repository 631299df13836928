import math

import pytest

from assay.features import LabelledTexts
from assay.features.measures.labels import label_balance, n_labels


def measure_balance(labels):
    return label_balance(LabelledTexts.from_texts(["t"] * len(labels), list(labels))).value


def test_missing_labels_are_not_counted():
    value = n_labels(LabelledTexts.from_texts(["a", "b", "c"], ["x", None, "y"]))
    assert (value.value, value.n) == (2, 2)


def test_balanced_labels_have_a_balance_of_0():
    assert measure_balance("abcabc") == 0


def test_balance_is_the_relative_loss_of_entropy():
    shares = [3 / 4, 1 / 4]
    entropy = -sum(share * math.log(share) for share in shares)
    expected = (entropy - math.log(2)) / math.log(2)
    assert measure_balance("aaab") == pytest.approx(expected, abs=1e-12)
    assert expected < 0


def test_one_label_has_no_balance():
    assert math.isnan(measure_balance("a"))
