from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics as sk

from assay.evaluation import METRICS, Predictions
from assay.evaluation.metrics.ranking import ndcg
from assay.evaluation.scoring import Settings, prepared

LABELS = ["a", "b", "c"]


def score(name, gold, predicted, **more):
    options = {"positive": more.pop("positive", None), "missing": more.pop("missing", "skip")}
    arrays = {key: {"x": value} for key, value in more.items() if key in ("scores", "probabilities")}
    given = Predictions.from_arrays(gold, {"x": predicted}, groups=more.get("groups"), **arrays)
    return prepared(given, Settings(**options)).scores(METRICS[name])["x"]


@st.composite
def labelled(draw, labels=LABELS):
    n = draw(st.integers(2, 40))
    column = st.lists(st.sampled_from(labels), min_size=n, max_size=n)
    return draw(column), draw(column)


@given(labelled())
@settings(max_examples=60, deadline=None)
def test_averages_over_classes_are_scikit_learns(data):
    gold, predicted = data
    for average in ("macro", "micro", "weighted"):
        p, r, f, _ = sk.precision_recall_fscore_support(gold, predicted, average=average, zero_division=0)
        assert score(f"{average}-f1", gold, predicted).value == pytest.approx(f)
        if average != "micro":
            assert score(f"{average}-precision", gold, predicted).value == pytest.approx(p)
            assert score(f"{average}-recall", gold, predicted).value == pytest.approx(r)
    assert score("accuracy", gold, predicted).value == pytest.approx(sk.accuracy_score(gold, predicted))


@given(labelled())
@settings(max_examples=60, deadline=None)
def test_matthews_correlation_is_scikit_learns_or_undefined(data):
    gold, predicted = data
    ours = score("mcc", gold, predicted)
    if len(set(gold)) == 1 or len(set(predicted)) == 1:
        assert math.isnan(ours.value)
        assert ours.reason == "gold or predictions have one class only"
    else:
        assert ours.value == pytest.approx(sk.matthews_corrcoef(gold, predicted))


@given(labelled(["0", "1"]))
@settings(max_examples=60, deadline=None)
def test_the_positive_class_is_scikit_learns(data):
    gold, predicted = data
    assume("1" in gold)
    p, r, f, _ = sk.precision_recall_fscore_support(
        gold, predicted, labels=["1"], average="macro", zero_division=np.nan
    )
    found = [score(name, gold, predicted, positive="1").value for name in ("precision", "recall", "f1")]
    assert found == pytest.approx([p, r, f], nan_ok=True)


def test_probabilities_are_scored_as_scikit_learn_does():
    generator = np.random.default_rng(0)
    gold = generator.choice(LABELS, size=200)
    shares = generator.dirichlet([1, 1, 1], size=200)
    columns = {label: shares[:, number] for number, label in enumerate(LABELS)}
    predicted = [LABELS[number] for number in shares.argmax(axis=1)]
    truth = np.array([[label == name for name in LABELS] for label in gold])
    assert score("log-loss", gold, predicted, probabilities=columns).value == pytest.approx(sk.log_loss(gold, shares))
    brier = ((shares - truth) ** 2).sum(axis=1).mean()
    assert score("brier", gold, predicted, probabilities=columns).value == pytest.approx(brier)


def test_two_classes_have_half_the_brier_score_as_in_scikit_learn():
    generator = np.random.default_rng(0)
    gold, share = generator.integers(2, size=100), generator.random(100)
    columns = {"0": 1 - share, "1": share}
    ours = score("brier", gold, (share > 0.5).astype(int), probabilities=columns).value
    assert ours == pytest.approx(sk.brier_score_loss(gold, share))


def test_calibration_error_counted_by_hand():
    # Two items at 0.95, one right: |0.95 − 0.5|; two at 0.65, both right: |0.65 − 1|.
    columns = {"a": [0.95, 0.95, 0.65, 0.65], "b": [0.05, 0.05, 0.35, 0.35]}
    ours = score("calibration-error", ["a", "b", "a", "a"], ["a", "a", "a", "a"], probabilities=columns)
    assert ours.value == pytest.approx((0.45 + 0.35) / 2)


def test_grades_are_scipys():
    generator = np.random.default_rng(0)
    gold = generator.integers(0, 50, size=80) / 10
    predicted = gold + generator.normal(size=80)
    assert score("pearson", gold, predicted).value == pytest.approx(stats.pearsonr(gold, predicted).statistic)
    assert score("spearman", gold, predicted).value == pytest.approx(stats.spearmanr(gold, predicted).statistic)
    assert score("rmse", gold, predicted).value == pytest.approx(np.sqrt(np.mean((gold - predicted) ** 2)))


def test_constant_grades_have_no_correlation():
    gold = [0.5, 1.5, 2.5, 3.5]
    for name in ("pearson", "spearman"):
        found = score(name, gold, [1.0] * 4)
        assert math.isnan(found.value)
        assert found.reason == "gold or predictions are constant"


RANKED = {
    "gold": ["1", "0", "1", "0", "0", "0"],
    "predicted": ["1"] * 6,
    "scores": [3.0, 2.0, 1.0, 5.0, 4.0, 3.0],
    "groups": ["q", "q", "q", "r", "r", "r"],
}


def test_mean_average_precision_counted_by_hand():
    # q: hits at ranks 1 and 3, (1/1 + 2/3) / 2; r has no hit and counts as 0.
    found = score("map", **RANKED, positive="1")
    assert found.value == pytest.approx((1 + 2 / 3) / 2 / 2)
    assert found.n == 2


def test_reciprocal_rank_and_gain_counted_by_hand():
    assert score("mrr", **RANKED, positive="1").value == pytest.approx(0.5)
    best = 1 + 1 / np.log2(3)
    assert score("ndcg", **RANKED, positive="1").value == pytest.approx((1 + 0.5) / best / 2)


def test_gain_is_scikit_learns():
    generator = np.random.default_rng(0)
    relevant, scores = generator.integers(2, size=30), generator.random(30)
    order = np.argsort(-scores)[:10]
    ours = ndcg(relevant[order] == 1, int(relevant.sum()))
    assert ours == pytest.approx(sk.ndcg_score([relevant], [scores], k=10))


def test_equal_scores_keep_file_order_and_undefined_ones_come_last():
    equal = {"gold": ["0", "1"], "predicted": ["1", "1"], "groups": ["q", "q"], "positive": "1"}
    assert score("map", **equal, scores=[1.0, 1.0]).value == 0.5
    assert score("map", **equal, scores=[math.nan, 1.0]).value == 1.0


def test_only_the_top_ten_count():
    gold = ["0"] * 10 + ["1"]
    ranked = {"gold": gold, "predicted": ["1"] * 11, "groups": ["q"] * 11, "positive": "1"}
    assert score("map", **ranked, scores=list(range(11, 0, -1))).value == 0.0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("log-loss", "no probabilities (columns prob:<label>)"),
        ("map", "no ranking scores (a column score, or --item-scores)"),
        ("spearman", "labels or predictions are not numbers"),
        ("mean-score", "no item scores"),
    ],
)
def test_what_cannot_be_had_is_nan_with_a_reason(name, reason):
    found = score(name, ["a", "b"], ["a", "a"], positive="a")
    assert math.isnan(found.value)
    assert found.reason == reason


def test_a_class_neither_in_gold_nor_predicted_has_no_f1():
    found = score("f1", ["a", "b", "c"], ["b", "b", "b"], positive="b")
    assert found.value == 0.5
    alone = score("precision", ["a", "b"], ["b", "b"], positive="a")
    assert math.isnan(alone.value)
    assert alone.reason == "the positive class was never predicted"
