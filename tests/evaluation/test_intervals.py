from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from assay.base.errors import UsageError
from assay.evaluation import METRICS, Predictions, evaluate
from assay.evaluation.intervals import Rows, intervals, jackknife, rows_of
from assay.evaluation.scoring import Settings, prepared
from assay.statistics import bootstrap_weights, wilson


def simulated(n=300, seed=0, labels="abc"):
    generator = np.random.default_rng(seed)
    gold = generator.choice(list(labels), size=n)
    return gold, np.where(generator.random(n) < 0.7, gold, generator.choice(list(labels), size=n))


def scored(gold, predicted, groups=None):
    return prepared(Predictions.from_arrays(gold, {"x": predicted}, groups=groups), Settings())


def test_accuracy_has_wilsons_interval():
    gold, predicted = simulated()
    found = evaluate(gold, {"x": predicted}, metrics=["accuracy"]).systems[0]
    exact = wilson(int((gold == predicted).sum()), len(gold))
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert found.metrics["accuracy"].method == "wilson"


def test_a_resample_of_macro_f1_is_scikit_learns_on_the_drawn_items():
    gold, predicted = simulated(60)
    metric = METRICS["macro-f1"]
    table = scored(gold, predicted).tables(metric)["x"]
    weights = bootstrap_weights(60, 20, random_state=4)
    for counts, ours in zip(weights, metric.value(weights @ table), strict=True):
        rows = np.repeat(np.arange(60), counts)
        assert ours == pytest.approx(f1_score(gold[rows], predicted[rows], average="macro"))


def test_the_percentile_interval_cuts_those_resamples():
    gold, predicted = simulated(60)
    metric = METRICS["macro-f1"]
    table = scored(gold, predicted).tables(metric)["x"]
    values = metric.value(bootstrap_weights(60, 4000, random_state=4) @ table)
    (found,) = intervals(metric, [rows_of(table)], method="percentile", n_resamples=4000)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=0.01)


def test_the_jackknife_leaves_out_one_item_at_a_time():
    gold, predicted = simulated(40)
    metric = METRICS["macro-f1"]
    ours = jackknife(metric, Rows(scored(gold, predicted).tables(metric)["x"], np.ones(40)))
    for row in range(40):
        rest = np.arange(40) != row
        assert ours[row] == pytest.approx(f1_score(gold[rest], predicted[rest], average="macro"))


@pytest.mark.parametrize("name", ["accuracy", "f1", "macro-f1", "mcc", "weighted-f1"])
@pytest.mark.parametrize("method", ["auto", "bca", "percentile"])
def test_intervals_hold_the_value_and_stay_in_bounds(name, method):
    gold, predicted = simulated(80, labels="ab")
    found = evaluate(gold, {"x": predicted}, metrics=[name], interval=method, positive="a").systems[0]
    low, high = METRICS[name].bounds
    assert low <= found.low <= found.value <= found.high <= high


def test_groups_that_agree_inside_make_the_interval_wider():
    generator = np.random.default_rng(0)
    right = np.repeat(generator.random(40) < 0.7, 10)
    gold, predicted = np.full(400, "1"), np.where(right, "1", "0")
    alone = evaluate(gold, {"x": predicted}, metrics=["accuracy"], positive="1").systems[0]
    grouped = evaluate(gold, {"x": predicted}, metrics=["accuracy"], positive="1", groups=np.repeat(range(40), 10))
    wide = grouped.systems[0]
    assert wide.value == alone.value
    assert wide.high - wide.low > 2.5 * (alone.high - alone.low)
    assert grouped.resampled == "groups"


def test_the_order_of_rows_does_not_matter():
    gold, predicted = simulated(100)
    order = np.random.default_rng(1).permutation(100)
    one, other = (evaluate(g, {"x": p}).systems[0] for g, p in ((gold, predicted), (gold[order], predicted[order])))
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)


def test_an_unknown_interval_is_named():
    with pytest.raises(UsageError, match=r"No interval 'bcaa'\. Did you mean 'bca'"):
        evaluate(["a", "b"], {"x": ["a", "b"]}, interval="bcaa")


def test_perfect_systems_have_an_honest_interval():
    gold = ["a", "b"] * 20
    found = evaluate(gold, {"x": gold}, metrics=["macro-f1"]).systems[0]
    assert found.value == found.high == 1.0
    assert 0.85 < found.low < 1.0
