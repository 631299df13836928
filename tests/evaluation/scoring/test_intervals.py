from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from assay.base.errors import UsageError
from assay.evaluation import Predictions, evaluate_arrays, prepare_predictions
from assay.evaluation.scoring import workers
from assay.evaluation.scoring.intervals import CountedRows, compute_intervals, compute_jackknife, count_rows
from assay.evaluation.scoring.workers import Workers
from assay.metrics import METRICS
from assay.statistics import bootstrap_weights, wilson


def simulate(n=300, seed=0, labels="abc"):
    generator = np.random.default_rng(seed)
    gold = generator.choice(list(labels), size=n)
    return gold, np.where(generator.random(n) < 0.7, gold, generator.choice(list(labels), size=n))


def collect_table(metric, gold, predicted):
    return prepare_predictions(Predictions.from_arrays(gold, {"x": predicted})).collect_statistics(metric)["x"]


def test_accuracy_has_the_interval_of_wilson():
    gold, predicted = simulate()
    score = evaluate_arrays(gold, {"x": predicted}, metrics="accuracy").systems[0]
    exact = wilson(int((gold == predicted).sum()), len(gold))
    assert (score.low, score.high) == pytest.approx((exact.low, exact.high))
    assert score.metrics["accuracy"].method == "wilson"


def test_a_resample_of_macro_f1_equals_scikit_learn_on_the_drawn_items():
    gold, predicted = simulate(60)
    metric = METRICS["macro-f1"]
    table = collect_table(metric, gold, predicted)
    weights = bootstrap_weights(60, 20, random_state=4)
    for counts, ours in zip(weights, metric.compute_value(weights @ table), strict=True):
        rows = np.repeat(np.arange(60), counts)
        assert ours == pytest.approx(f1_score(gold[rows], predicted[rows], average="macro"))


def test_the_percentile_interval_consists_of_quantiles_of_the_resamples():
    gold, predicted = simulate(60)
    metric = METRICS["macro-f1"]
    table = collect_table(metric, gold, predicted)
    values = metric.compute_value(bootstrap_weights(60, 4000, random_state=4) @ table)
    (interval,) = compute_intervals(metric, [count_rows(table)], method="percentile", n_resamples=4000)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=0.01)


def test_the_jackknife_leaves_out_one_item_at_a_time():
    gold, predicted = simulate(40)
    metric = METRICS["macro-f1"]
    ours = compute_jackknife(metric, CountedRows(collect_table(metric, gold, predicted), np.ones(40)))
    for row in range(40):
        rest = np.arange(40) != row
        assert ours[row] == pytest.approx(f1_score(gold[rest], predicted[rest], average="macro"))


@pytest.mark.parametrize("name", ["accuracy", "f1", "macro-f1", "mcc", "weighted-f1"])
@pytest.mark.parametrize("method", ["auto", "bca", "percentile"])
def test_intervals_contain_the_value_and_stay_in_bounds(name, method):
    gold, predicted = simulate(80, labels="ab")
    score = evaluate_arrays(gold, {"x": predicted}, metrics=[name], interval=method, positive="a").systems[0]
    low, high = METRICS[name].bounds
    assert low <= score.low <= score.value <= score.high <= high


def test_groups_that_agree_inside_make_the_interval_wider():
    generator = np.random.default_rng(0)
    right = np.repeat(generator.random(40) < 0.7, 10)
    gold, predicted = np.full(400, "1"), np.where(right, "1", "0")
    alone = evaluate_arrays(gold, {"x": predicted}, metrics="accuracy", positive="1").systems[0]
    grouped = evaluate_arrays(gold, {"x": predicted}, metrics="accuracy", positive="1", groups=np.repeat(range(40), 10))
    wide = grouped.systems[0]
    assert wide.value == alone.value
    assert wide.high - wide.low > 2.5 * (alone.high - alone.low)
    assert grouped.resampled == "groups"


def test_the_order_of_rows_does_not_matter():
    gold, predicted = simulate(100)
    order = np.random.default_rng(1).permutation(100)
    one, other = (
        evaluate_arrays(g, {"x": p}).systems[0] for g, p in ((gold, predicted), (gold[order], predicted[order]))
    )
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)


def test_an_unknown_interval_is_an_error_with_the_closest_one():
    with pytest.raises(UsageError, match=r"No interval 'bcaa'\. Did you mean 'bca'"):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, interval="bcaa")


def test_perfect_systems_have_an_interval_below_one():
    gold = ["a", "b"] * 20
    score = evaluate_arrays(gold, {"x": gold}, metrics="macro-f1").systems[0]
    assert score.value == score.high == 1.0
    assert 0.85 < score.low < 1.0


@pytest.mark.parametrize("metric", ["log-loss", "brier", "rmse", "mean-score"])
def test_several_processes_give_the_same_intervals(metric, monkeypatch):
    monkeypatch.setattr(workers, "MIN_DRAWS", 0)
    generator = np.random.default_rng(0)
    systems = [count_rows(np.stack([generator.random(500), np.ones(500)], axis=1)) for _ in range(3)]
    alone = compute_intervals(METRICS[metric], systems, method="bca", n_resamples=200)
    together = compute_intervals(METRICS[metric], systems, method="bca", n_resamples=200, workers=Workers(2))
    assert alone == together


def test_no_processes_at_all_are_refused():
    with pytest.raises(UsageError, match="n_jobs is 0"):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, n_jobs=0)
    with pytest.raises(UsageError, match="No back end 'treads'"):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"]}, backend="treads")
