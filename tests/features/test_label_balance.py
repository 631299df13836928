import math

import pytest

from assay.features.label_balance import label_balance
from assay.features.part import Part


def test_it_is_0_for_balanced_labels():
    assert label_balance(Part.of(["t"] * 6, list("abcabc"))).value == 0


def test_it_is_the_relative_loss_of_entropy():
    shares = [3 / 4, 1 / 4]
    entropy = -sum(share * math.log(share) for share in shares)
    expected = (entropy - math.log(2)) / math.log(2)
    assert label_balance(Part.of(["t"] * 4, list("aaab"))).value == pytest.approx(expected, abs=1e-12)
    assert expected < 0


def test_one_label_has_no_balance():
    assert math.isnan(label_balance(Part.of(["t"], ["a"])).value)
