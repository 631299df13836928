"""Drift in length and labels between two parts."""

from __future__ import annotations

import math

import pytest
from scipy import stats
from tests.marks import unmarked_fields

from assay.features import (
    GradeDrift,
    LabelDrift,
    LabelShift,
    LengthDrift,
    grade_drift,
    label_drift,
    label_set_drift,
    length_drift,
)
from assay.text import Corpus

SHORT, LONG = ["one", "one two", "one two three"], ["one two", "one two three four", "a b c d e"]


def test_length_drift_by_hand():
    drift = length_drift(SHORT, LONG, ("train", "dev"))
    # Lengths 1, 2, 3 against 2, 4, 5: of nine pairs the second is longer in seven and equal in one.
    assert drift.longer.value == pytest.approx(7.5 / 9)
    assert (drift.mean_train, drift.mean_test, drift.n_train, drift.n_test) == (2, 11 / 3, 3, 3)
    assert drift.p == stats.mannwhitneyu([2, 4, 5], [1, 2, 3]).pvalue
    assert drift.longer.low < drift.longer.value < drift.longer.high == 1
    assert drift.parts == ("train", "dev")


def test_a_corpus_is_used_as_it_is():
    assert length_drift(Corpus.from_texts(SHORT), Corpus.from_texts(LONG)) == length_drift(SHORT, LONG)


def test_one_text_has_no_length_drift():
    assert length_drift(["one"], LONG) is None


def test_label_drift_by_hand():
    drift = label_drift(["a", "a", "a", "b", None], ["b", "b", "b", "c"])
    assert drift.distance == 0.75
    assert drift.most == LabelShift("a", train=0.75, test=0.0)
    assert (drift.n_train, drift.n_test) == (4, 4)
    assert drift.p == stats.chi2_contingency([[3, 1, 0], [0, 3, 1]]).pvalue


def test_labels_are_counted_by_value():
    drift = label_drift(["1", "1", "0"], ["1.0", "1.0", "0.0"])
    assert drift.distance == 0


def test_grade_drift_equals_scipy_and_ignores_how_numbers_are_written():
    train, test = [str(number / 4) for number in range(20)], [f"{number / 4:.2f}" for number in range(8, 28)]
    drift = grade_drift([*train, None, "n/a"], test)
    numbers = [float(grade) for grade in train], [float(grade) for grade in test]
    assert (drift.distance, drift.p) == tuple(stats.ks_2samp(*numbers))
    assert drift.shift == pytest.approx(2.0)
    assert (drift.n_train, drift.n_test) == (20, 20)
    assert grade_drift(train, [f"{float(grade):.3f}" for grade in train]).distance == 0
    assert grade_drift(["1"], test) is None


@pytest.mark.parametrize(("train", "test"), [(["a"], ["a"]), ([None], ["a", "b"]), (["a", "b"], [])])
def test_labels_that_cannot_be_compared_have_no_drift(train, test):
    assert label_drift(train, test) is None


def test_drift_survives_json_and_its_text_is_marked():
    for drift in (length_drift(SHORT, LONG), label_drift(["a", "b"], ["b", "b"]), grade_drift([1, 2], [2, 3])):
        assert type(drift).from_dict(drift.to_dict()) == drift
    assert list(unmarked_fields(LengthDrift)) == list(unmarked_fields(LabelDrift)) == []
    assert list(unmarked_fields(GradeDrift)) == []


def test_labels_of_sets_by_hand():
    train = [["a"], ["a", "b"]] * 20  # a on 40 of 40, b on 20
    test = [["a"], ["a"], ["a"], ["b"]] * 10  # a on 30 of 40, b on 10
    drift = label_set_drift(train, test)
    assert (drift.most.label, drift.distance, drift.most.train, drift.most.test) == ("a", 0.25, 1.0, 0.75)
    # Fisher: all 10 items without "a" are among the 40 of test, of 80; doubled for two sides and for two labels.
    assert drift.p == pytest.approx(4 * math.comb(40, 10) / math.comb(80, 10))
    assert label_set_drift([], test) is None
