"""The first systems of an evaluation: winners by metric, and which difference of the first two would show."""

from __future__ import annotations

import math

import pytest

from assay.evaluation import evaluate_arrays, find_winners, order_comparisons
from assay.evaluation.first_place import turn_comparison
from assay.evaluation.view import write_difference, write_smallest_difference
from assay.metrics import METRICS

GOLD = ["a", "b"] * 50


def answer(n_right):
    """Answer the first items correctly and the others wrongly."""
    return [label if row < n_right else "ab"[label == "a"] for row, label in enumerate(GOLD)]


def evaluate(**systems):
    return evaluate_arrays(GOLD, systems, metrics=["accuracy", "macro-f1"], n_resamples=50, n_permutations=50)


def test_the_smallest_difference_is_that_of_the_first_two_systems():
    result = evaluate(good=answer(80), middle=answer(70), bad=answer(10))
    smallest = result.smallest_difference
    (pair,) = [row for row in result.comparisons if {row.first, row.second} == {"good", "middle"}]
    assert smallest.value == pair.detectable
    assert smallest.gap == pytest.approx(0.1)
    assert smallest.n_items == 100
    assert (smallest.metric, smallest.first, smallest.second) == ("accuracy", "good", "middle")


def test_one_system_has_no_gap():
    result = evaluate(good=answer(80))
    smallest = result.smallest_difference
    assert math.isnan(smallest.gap)
    assert smallest.second is None
    needed = write_difference(smallest.value, has_shares=True)
    assert write_smallest_difference(smallest).startswith("Two systems like this one, with unrelated errors")
    assert f"must differ by {needed}" in write_smallest_difference(smallest)


def test_every_metric_has_a_winner():
    winners = find_winners(evaluate(good=answer(80), bad=answer(10)))
    assert [(row.metric, row.system) for row in winners] == [("accuracy", "good"), ("macro-f1", "good")]


def test_equal_systems_do_not_make_the_first_place_depend_on_the_metric():
    gold = ["a"] * 70 + ["b"] * 30
    first = ["a"] * 90 + ["b"] * 10  # 80 right, mostly by the frequent label
    second = ["b"] * 20 + ["a"] * 50 + ["b"] * 30
    options = {"metrics": ["accuracy", "macro-f1"], "n_resamples": 50, "n_permutations": 50}
    result = evaluate_arrays(gold, {"first": first, "second": second}, **options)
    scores = {row.system: {name: score.value for name, score in row.metrics.items()} for row in result.systems}
    assert scores["first"]["accuracy"] == scores["second"]["accuracy"]
    assert scores["first"]["macro-f1"] < scores["second"]["macro-f1"]
    assert {row.system for row in find_winners(result)} == {"second"}


def test_a_share_of_judged_documents_ranks_nobody():
    assert not METRICS["judged@10 (retrieval)"].ranks_systems
    assert METRICS["ndcg@10 (retrieval)"].ranks_systems


def test_comparisons_are_seen_from_the_system_that_is_named_first():
    result = evaluate(good=answer(80), bad=answer(10))
    (pair,) = result.comparisons
    (turned,) = order_comparisons(result, ["bad", "good"])
    assert (turned.first, turned.second, turned.difference.value) == ("bad", "good", -pair.difference.value)
    assert (turned.difference.low, turned.difference.high) == (-pair.difference.high, -pair.difference.low)
    assert (turned.only_first, turned.only_second) == (pair.only_second, pair.only_first)
    assert turn_comparison(turned) == pair
    assert order_comparisons(result, ["good"]) == ()


def test_of_an_error_the_lowest_wins():
    gold = [str(number % 7 / 2) for number in range(60)]
    near = [str(float(grade) + 0.1) for grade in gold]
    far = [str(3 - float(grade)) for grade in gold]
    winners = find_winners(evaluate_arrays(gold, {"far": far, "near": near}, metrics=["spearman", "rmse"]))
    assert [(row.metric, row.system) for row in winners] == [("spearman", "near"), ("rmse", "near")]
