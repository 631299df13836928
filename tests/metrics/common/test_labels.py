"""Metrics of predicted labels: accuracy, the positive class, averages over classes, Matthews' correlation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

LABELS = ["a", "b", "c"]


@st.composite
def labels(draw, names=LABELS):
    n = draw(st.integers(2, 40))
    column = st.lists(st.sampled_from(names), min_size=n, max_size=n)
    return draw(column), draw(column)


@given(data=labels())
@settings(max_examples=60)
def test_averages_over_classes_equal_scikit_learn(score, data):
    gold, predicted = data
    for average in ("macro", "micro", "weighted"):
        p, r, f, _ = sk.precision_recall_fscore_support(gold, predicted, average=average, zero_division=0)
        assert score(f"{average}-f1", gold, predicted).value == pytest.approx(f)
        if average != "micro":
            assert score(f"{average}-precision", gold, predicted).value == pytest.approx(p)
            assert score(f"{average}-recall", gold, predicted).value == pytest.approx(r)
    assert score("accuracy", gold, predicted).value == pytest.approx(sk.accuracy_score(gold, predicted))


@given(data=labels())
@settings(max_examples=60)
def test_matthews_correlation_equals_scikit_learn_or_is_undefined(score, data):
    gold, predicted = data
    mcc = score("mcc", gold, predicted)
    if len(set(gold)) == 1 or len(set(predicted)) == 1:
        assert math.isnan(mcc.value)
        assert mcc.reason == "gold or predictions have one class only"
    else:
        assert mcc.value == pytest.approx(sk.matthews_corrcoef(gold, predicted))


@given(data=labels(["0", "1"]))
@settings(max_examples=60)
def test_the_positive_class_equals_scikit_learn(score, data):
    gold, predicted = data
    expected = sk.precision_recall_fscore_support(gold, predicted, labels=["1"], average="macro", zero_division=np.nan)
    if "1" in gold:
        values = [score(name, gold, predicted, positive="1").value for name in ("precision", "recall", "f1")]
        assert values == pytest.approx(expected[:3], nan_ok=True)


def test_a_class_neither_in_gold_nor_predicted_has_no_f1(score):
    assert score("f1", ["a", "b", "c"], ["b", "b", "b"], positive="b").value == 0.5
    precision = score("precision", ["a", "b"], ["b", "b"], positive="a")
    assert math.isnan(precision.value)
    assert precision.reason == "the positive class was never predicted"
