"""Lists of datasets."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast.protocols import make_folds
from benchmarks.studies.forecast.ranking import (
    RANKERS,
    compute_mean_average_precision,
    compute_ndcg,
    draw_lists,
    evaluate_ranker,
    grade_members,
    score_lists,
)
from sklearn.metrics import average_precision_score, ndcg_score

FEW = {"train": 150, "dev": 40, "test": 60}


def draw_scores(n_lists=40, n=7):
    rng = np.random.default_rng(0)
    truth = rng.gamma(2, 2, (n_lists, n))
    return truth, truth + rng.normal(0, 2, (n_lists, n))


def test_ndcg_agrees_with_scikit_learn():
    truth, predicted = draw_scores()
    assert compute_ndcg(truth, predicted) == pytest.approx(ndcg_score(grade_members(truth), predicted))


def test_average_precision_agrees_with_scikit_learn():
    truth, predicted = draw_scores()
    held = [(t >= 3, p) for t, p in zip(truth, predicted, strict=True) if (t >= 3).any()]
    expected = np.mean([average_precision_score(t, p) for t, p in held])
    assert compute_mean_average_precision(truth, predicted, 3) == pytest.approx(expected)


def test_lists_without_a_relevant_dataset_are_left_out():
    truth = np.array([[1.0, 2.0, 1.5], [5.0, 1.0, 2.0]])
    assert compute_mean_average_precision(truth, truth, 3) == 1
    assert np.isnan(compute_mean_average_precision(truth[:1], truth[:1], 3))


def test_a_list_holds_different_rows():
    assert all(len(set(row)) == 5 for row in draw_lists(np.arange(20), 5, 30, 0).tolist())


def test_a_random_order_is_reported_next_to_the_ranker():
    truth, _ = draw_scores(400)
    found = score_lists(truth, truth, 7, 3.0)
    assert found.ndcg == 1
    assert 0.7 < found.random_ndcg < 0.9
    assert found.relevant == pytest.approx((truth >= 3).mean())


@pytest.mark.parametrize("name", list(RANKERS))
def test_a_ranker_beats_a_random_order(name, evidence):
    if name != "extra-trees":
        pytest.importorskip(name)
    found = evaluate_ranker(evidence, name, "lambda_var", 5, list(make_folds(evidence, "random")), n_lists=FEW)
    assert found.ndcg > 0.93 > found.random_ndcg
    assert found.n_lists == 60


def test_extra_trees_learn_from_the_rows_of_their_lists_alone(evidence):
    X, y = evidence.features("light"), evidence.target("lambda_var")
    train, dev = draw_lists(np.arange(100), 5, 40, 0), draw_lists(np.arange(100, 120), 5, 10, 0)
    other = np.where(np.arange(len(y)) < 120, y, 100 * y)
    first, second = (RANKERS["extra-trees"](X, truth, train, dev)(X) for truth in (y, other))
    assert np.array_equal(first, second)
