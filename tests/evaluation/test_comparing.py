from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from assay.base.errors import UsageError
from assay.evaluation import METRICS, Predictions, detectable_difference, evaluate
from assay.evaluation.comparing import compare_systems
from assay.evaluation.scoring import Settings, prepared
from assay.evaluation.swapping import swapped_differences
from assay.statistics import holm


def simulated(n=200, seed=0, rates=(0.8, 0.7, 0.7)):
    generator = np.random.default_rng(seed)
    gold = generator.choice(["0", "1"], size=n)
    other = np.where(gold == "1", "0", "1")
    return gold, {f"s{k}": np.where(generator.random(n) < rate, gold, other) for k, rate in enumerate(rates)}


def test_all_pairs_are_compared_and_corrected():
    gold, systems = simulated()
    pairs = evaluate(gold, systems, metrics=["accuracy"]).comparisons
    assert [(pair.first, pair.second) for pair in pairs] == [("s0", "s1"), ("s0", "s2"), ("s1", "s2")]
    assert [pair.p_adjusted for pair in pairs] == pytest.approx(holm([pair.p_permutation for pair in pairs]))


def test_for_accuracy_swapping_is_mcnemars_exact_test():
    gold, systems = simulated()
    pair = evaluate(gold, systems, metrics=["accuracy"]).comparisons[0]
    first, second = systems["s0"] == gold, systems["s1"] == gold
    b, c = int((first & ~second).sum()), int((second & ~first).sum())
    assert (pair.only_first, pair.only_second, pair.odds) == (b, c, b / c)
    assert pair.p_mcnemar == pytest.approx(stats.binomtest(b, b + c).pvalue)
    assert pair.p_permutation == pytest.approx(pair.p_mcnemar)
    assert pair.difference == pytest.approx(first.mean() - second.mean())


def test_swapped_sums_are_those_of_swapped_answers():
    gold, systems = simulated(30)
    metric = METRICS["f1"]
    scored = prepared(Predictions.from_arrays(gold, systems), Settings())
    tables = list(scored.tables(metric).values())
    generator = np.random.default_rng(7)
    kept = generator.integers(2, size=(5, 30), dtype=np.int8).astype(bool)
    _, _, ours = next(swapped_differences(metric, tables, 5, 7))
    for mask, difference in zip(kept, ours, strict=True):
        a = np.where(mask, systems["s0"], systems["s1"])
        b = np.where(mask, systems["s1"], systems["s0"])
        expected = f1_score(gold, a, pos_label="1") - f1_score(gold, b, pos_label="1")
        assert difference == pytest.approx(expected)


def test_many_items_are_swapped_by_cells_with_the_same_outcome(monkeypatch):
    gold, systems = simulated(4000, rates=(0.8, 0.78))
    scored = prepared(Predictions.from_arrays(gold, systems), Settings())
    tables = list(scored.tables(METRICS["f1"]).values())
    _, _, cells = next(swapped_differences(METRICS["f1"], tables, 4000, 0))
    monkeypatch.setattr("assay.evaluation.swapping._few_cells", lambda tables: False)
    _, _, items = next(swapped_differences(METRICS["f1"], tables, 4000, 0))
    assert not np.array_equal(cells, items)
    assert cells.std() == pytest.approx(items.std(), rel=0.05)
    assert abs(cells.mean()) < 4 * cells.std() / np.sqrt(4000)


def test_equal_systems_do_not_differ():
    gold, systems = simulated(rates=(0.8,))
    pair = evaluate(gold, {"x": systems["s0"], "y": systems["s0"]}).comparisons[0]
    assert (pair.difference, pair.p_permutation, pair.p_bootstrap, pair.p_mcnemar) == (0.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc"])
def test_tests_of_equally_good_systems_reject_about_as_often_as_they_say(metric):
    rejected = 0
    for seed in range(120):
        gold, systems = simulated(60, seed, rates=(0.7, 0.7))
        scored = prepared(Predictions.from_arrays(gold, systems), Settings(n_resamples=10))
        rejected += compare_systems(scored, METRICS[metric], n_permutations=200)[0].p_permutation <= 0.1
    assert rejected / 120 <= 0.18


def test_the_detectable_difference_is_found_with_eighty_percent_power():
    gold, systems = simulated(400, rates=(0.8, 0.8))
    needed = evaluate(gold, systems, metrics=["accuracy"]).detectable
    found = 0
    for seed in range(150):
        gold, systems = simulated(400, seed + 10, rates=(0.8 + needed / 2, 0.8 - needed / 2))
        a, b = ((answers == gold) for answers in systems.values())
        found += stats.binomtest(int((a & ~b).sum()), int((a != b).sum())).pvalue < 0.05 if (a != b).any() else 0
    assert 0.7 <= found / 150 <= 0.9


def test_one_system_has_a_detectable_difference_too():
    gold, systems = simulated(400, rates=(0.8,))
    assert evaluate(gold, systems, metrics=["accuracy"]).detectable == pytest.approx(
        detectable_difference(math.sqrt(2 * 0.8 * 0.2 / 400)), rel=0.1
    )


def test_only_items_both_answered_are_compared():
    gold = ["0", "1"] * 10
    pair = evaluate(gold, {"x": [None, *gold[1:]], "y": [*gold[:-2], None, None]}, metrics=["f1"]).comparisons[0]
    assert (pair.n, pair.difference) == (17, 0.0)


def test_groups_are_swapped_whole():
    gold = np.array(["1"] * 30)
    better = np.array(["1"] * 30)
    worse = np.array(["0"] * 15 + ["1"] * 15)
    groups = np.repeat(["a", "b", "c", "d", "e", "f"], 5)
    alone = evaluate(gold, {"x": better, "y": worse}, metrics=["accuracy"], positive="1").comparisons[0]
    grouped = evaluate(gold, {"x": better, "y": worse}, metrics=["accuracy"], positive="1", groups=groups)
    assert alone.p_permutation < 0.001
    assert grouped.comparisons[0].p_permutation == pytest.approx(0.25, abs=0.03)


def test_an_unknown_correction_is_named():
    with pytest.raises(UsageError, match=r"No correction 'bonferroni'\. Known: bh, holm"):
        evaluate(["a", "b"], {"x": ["a", "b"], "y": ["a", "a"]}, correction="bonferroni")
