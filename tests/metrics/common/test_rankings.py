from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics as sk

from assay.metrics.common.rankings import compute_discounted_gain, compute_mean_average_precision

RANKED = {
    "gold": ["1", "0", "1", "0", "0", "0"],
    "predicted": ["1"] * 6,
    "ranking_scores": [3.0, 2.0, 1.0, 5.0, 4.0, 3.0],
    "groups": ["q", "q", "q", "r", "r", "r"],
    "positive": "1",
}


def test_mean_average_precision_counted_by_hand(score):
    # q: hits at ranks 1 and 3, (1/1 + 2/3) / 2; r has no hit and counts as 0.
    precision = score("map", **RANKED)
    assert precision.value == pytest.approx((1 + 2 / 3) / 2 / 2)
    assert precision.n == 2
    relevant = [label == "1" for label in RANKED["gold"]]
    assert compute_mean_average_precision(relevant, RANKED["ranking_scores"], RANKED["groups"]) == precision.value


def test_reciprocal_rank_and_gain_counted_by_hand(score):
    assert score("mrr", **RANKED).value == pytest.approx(0.5)
    best = 1 + 1 / np.log2(3)
    assert score("ndcg", **RANKED).value == pytest.approx((1 + 0.5) / best / 2)


def test_gain_equals_scikit_learn():
    generator = np.random.default_rng(0)
    relevant, scores = generator.integers(2, size=30), generator.random(30)
    order = np.argsort(-scores)[:10]
    gain = compute_discounted_gain(relevant[order] == 1, int(relevant.sum()))
    assert gain == pytest.approx(sk.ndcg_score([relevant], [scores], k=10))


def test_equal_scores_keep_file_order_and_undefined_ones_come_last(score):
    equal = {"gold": ["0", "1"], "predicted": ["1", "1"], "groups": ["q", "q"], "positive": "1"}
    assert score("map", **equal, ranking_scores=[1.0, 1.0]).value == 0.5
    assert score("map", **equal, ranking_scores=[math.nan, 1.0]).value == 1.0


def test_only_the_top_ten_count(score):
    ranked = {"gold": ["0"] * 10 + ["1"], "predicted": ["1"] * 11, "groups": ["q"] * 11, "positive": "1"}
    assert score("map", **ranked, ranking_scores=list(range(11, 0, -1))).value == 0.0
