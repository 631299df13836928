from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import assay
from assay.base.errors import UsageError
from assay.evaluation import Predictions, ScoringSettings, evaluate_arrays, prepare_predictions
from assay.evaluation.comparison.pairs import compare_systems, find_detectable_difference
from assay.metrics import METRICS
from assay.statistics import holm


def simulate(n=200, seed=0, rates=(0.8, 0.7, 0.7)):
    generator = np.random.default_rng(seed)
    gold = generator.choice(["0", "1"], size=n)
    other = np.where(gold == "1", "0", "1")
    return gold, {f"s{k}": np.where(generator.random(n) < rate, gold, other) for k, rate in enumerate(rates)}


def test_all_pairs_are_compared_and_corrected():
    gold, systems = simulate()
    pairs = evaluate_arrays(gold, systems, metrics="accuracy").comparisons
    assert [(pair.first, pair.second) for pair in pairs] == [("s0", "s1"), ("s0", "s2"), ("s1", "s2")]
    assert [pair.p_adjusted for pair in pairs] == pytest.approx(holm([pair.p_permutation for pair in pairs]))


def test_swaps_of_accuracy_are_the_exact_test_of_mcnemar():
    gold, systems = simulate()
    pair = evaluate_arrays(gold, systems, metrics="accuracy").comparisons[0]
    first, second = systems["s0"] == gold, systems["s1"] == gold
    b, c = int((first & ~second).sum()), int((second & ~first).sum())
    assert (pair.only_first, pair.only_second, pair.odds) == (b, c, b / c)
    assert pair.p_mcnemar == pytest.approx(stats.binomtest(b, b + c).pvalue)
    assert pair.p_permutation == pytest.approx(pair.p_mcnemar)
    assert pair.difference.value == pytest.approx(first.mean() - second.mean())


def test_equal_systems_do_not_differ():
    gold, systems = simulate(rates=(0.8,))
    pair = evaluate_arrays(gold, {"x": systems["s0"], "y": systems["s0"]}).comparisons[0]
    assert (pair.difference.value, pair.p_permutation, pair.p_bootstrap, pair.p_mcnemar) == (0.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc"])
def test_tests_of_equally_good_systems_keep_their_level(metric):
    rejected = 0
    for seed in range(120):
        gold, systems = simulate(60, seed, rates=(0.7, 0.7))
        prepared = prepare_predictions(Predictions.from_arrays(gold, systems), ScoringSettings(n_resamples=10))
        rejected += compare_systems(prepared, METRICS[metric], n_permutations=200)[0].p_permutation <= 0.1
    assert rejected / 120 <= 0.18


def test_the_detectable_difference_is_detected_with_eighty_percent_power():
    gold, systems = simulate(400, rates=(0.8, 0.8))
    needed = evaluate_arrays(gold, systems, metrics="accuracy").smallest_difference.value
    n_detected = 0
    for seed in range(150):
        gold, systems = simulate(400, seed + 10, rates=(0.8 + needed / 2, 0.8 - needed / 2))
        a, b = ((answers == gold) for answers in systems.values())
        n_detected += stats.binomtest(int((a & ~b).sum()), int((a != b).sum())).pvalue < 0.05 if (a != b).any() else 0
    assert 0.7 <= n_detected / 150 <= 0.9


def test_one_system_has_a_detectable_difference_too():
    gold, systems = simulate(400, rates=(0.8,))
    assert evaluate_arrays(gold, systems, metrics="accuracy").smallest_difference.value == pytest.approx(
        find_detectable_difference(math.sqrt(2 * 0.8 * 0.2 / 400)), rel=0.1
    )


def test_only_items_both_answered_are_compared():
    gold = ["0", "1"] * 10
    pair = evaluate_arrays(gold, {"x": [None, *gold[1:]], "y": [*gold[:-2], None, None]}, metrics="f1").comparisons[0]
    assert (pair.n, pair.difference.value) == (17, 0.0)


def test_whole_groups_are_swapped():
    gold = np.array(["1"] * 30)
    better = np.array(["1"] * 30)
    worse = np.array(["0"] * 15 + ["1"] * 15)
    groups = np.repeat(["a", "b", "c", "d", "e", "f"], 5)
    alone = evaluate_arrays(gold, {"x": better, "y": worse}, metrics="accuracy", positive="1").comparisons[0]
    grouped = evaluate_arrays(gold, {"x": better, "y": worse}, metrics="accuracy", positive="1", groups=groups)
    assert alone.p_permutation < 0.001
    assert grouped.comparisons[0].p_permutation == pytest.approx(0.25, abs=0.03)


def test_an_unknown_correction_is_an_error_with_the_known_ones():
    with pytest.raises(UsageError, match=r"No correction 'bonferroni'\. Known: bh, holm"):
        evaluate_arrays(["a", "b"], {"x": ["a", "b"], "y": ["a", "a"]}, correction="bonferroni")


def test_item_scores_of_zero_and_one_have_mcnemar():
    import assay
    from assay.statistics import mcnemar

    generator = np.random.default_rng(0)
    scores = {name: (generator.random(200) < share).astype(int) for name, share in (("x", 0.7), ("y", 0.6))}
    (row,) = assay.evaluate(None, scores).comparisons
    only_x, only_y = (int((scores[a] > scores[b]).sum()) for a, b in (("x", "y"), ("y", "x")))
    assert (row.only_first, row.only_second) == (only_x, only_y)
    assert row.p_mcnemar == pytest.approx(mcnemar(only_x, only_y).p)


def test_a_pair_counts_only_items_that_were_answered():
    gold = ["a", "b"] * 5
    first, second = list(gold), ["a"] * 10
    first[3] = second[3] = None
    predictions = Predictions.from_arrays(gold, {"x": first, "y": second})
    (pair,) = assay.evaluate(None, predictions, metrics=["accuracy"]).comparisons
    assert pair.n == 9
    assert pair.difference.value == pytest.approx(4 / 9)


@pytest.mark.parametrize("metric", ["accuracy", "macro-f1"])
@pytest.mark.parametrize("with_gaps", [False, True])
def test_of_many_systems_the_best_are_compared_with_the_numbers_of_all_pairs(monkeypatch, metric, with_gaps):
    gold, systems = simulate(60, rates=(0.6, 0.9, 0.7, 0.8, 0.65, 0.75))
    rows = [
        {"id": item, "gold": label, "model": name, "prediction": answer}
        for name, answers in systems.items()
        for item, (label, answer) in enumerate(zip(gold, answers, strict=True))
        if not with_gaps or item or name != "s4"
    ]
    settings = {"metrics": metric, "n_permutations": 400, "n_resamples": 50}
    whole = assay.evaluate(None, pl.DataFrame(rows), **settings)
    monkeypatch.setattr("assay.evaluation.comparison.pairs.MAX_LEADERS", 3)
    monkeypatch.setattr("assay.evaluation.comparison.pairs.BLOCK_SYSTEMS", 2)
    short = assay.evaluate(None, pl.DataFrame(rows), **settings)
    ranked = [row.system for row in sorted(whole.systems, key=lambda row: row.rank)]
    compared = {frozenset((row.first, row.second)) for row in short.comparisons}
    expected = {frozenset(pair) for pair in combinations(ranked[:3], 2)}
    assert compared == expected | {frozenset((ranked[0], other)) for other in ranked[3:]}
    assert (len(whole.comparisons), short.n_pairs, whole.n_pairs) == (15, 15, 15)
    known = {frozenset((row.first, row.second)): row for row in whole.comparisons}
    for row in short.comparisons:
        pair = known[frozenset((row.first, row.second))]
        assert row.p_permutation == pytest.approx(pair.p_permutation)
        assert row.p_mcnemar == pytest.approx(pair.p_mcnemar)
        assert row.p_adjusted >= pair.p_adjusted - 1e-9
        assert abs(row.difference.value) == pytest.approx(abs(pair.difference.value))
    assert short.smallest_difference.value == pytest.approx(whole.smallest_difference.value)
    assert len(assay.evaluate(None, pl.DataFrame(rows), pairs="all", **settings).comparisons) == 15


def test_an_unknown_choice_of_pairs_is_refused():
    gold, systems = simulate(20)
    with pytest.raises(UsageError, match="choice of pairs"):
        evaluate_arrays(gold, systems, pairs="some")
