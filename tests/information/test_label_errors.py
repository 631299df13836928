"""Labels that are probably wrong, and what losses tell about single items."""

import numpy as np

from assay.information.item_information import build_item_table, find_solvable_items
from assay.information.label_errors import (
    LabelErrors,
    bound_random_errors,
    find_label_errors,
    mark_trusted,
    suggest_labels,
)
from assay.statistics import Interval

AGREES, UNCLEAR = Interval(0.8, 0.7, 0.9), Interval(0.1, -0.1, 0.3)


def test_flipped_labels_get_their_true_label_as_a_suggestion():
    truth, labels, probabilities = flip_labels()
    suggested = suggest_labels(probabilities, labels)
    assert np.flatnonzero(suggested >= 0).tolist() == list(range(12))
    assert (suggested[:12] == truth[:12]).all()


def flip_labels() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return true labels, labels of which the first twelve are flipped, and probabilities that know the truth."""
    truth = np.random.default_rng(0).integers(0, 2, 400)
    labels = truth.copy()
    labels[:12] = 1 - labels[:12]
    return truth, labels, np.where(np.eye(2)[truth] == 1, 0.95, 0.05)


def test_a_model_that_knows_nothing_suggests_no_label():
    rng = np.random.default_rng(0)
    noise, labels = rng.dirichlet(np.ones(2), 300), rng.integers(0, 2, 300)
    table = build_item_table(np.arange(300), ["a", "b"], labels, noise, [noise], np.full(300, np.log(2)))
    assert table["suspected_label"].null_count() == 300
    informed = np.where(np.eye(2)[labels] == 1, 0.9, 0.1)
    informed[:5] = informed[:5, ::-1]
    table = build_item_table(np.arange(300), ["a", "b"], labels, informed, [noise], np.full(300, np.log(2)))
    assert table["suspected_label"].is_not_null().to_numpy().nonzero()[0].tolist() == [0, 1, 2, 3, 4]


def test_label_errors_are_counted_bounded_and_ranked_by_doubt():
    truth, labels, probabilities = flip_labels()
    probabilities[0] = [0.999, 0.001] if truth[0] == 0 else [0.001, 0.999]
    errors = find_label_errors(probabilities, labels, AGREES)
    assert (errors.n, errors.n_trusted, errors.share.value) == (400, 400, errors.count / 400)
    assert errors.count == len(errors.rows) == min(12, int(errors.random_errors.high * 400))
    assert errors.rows[0] == 0
    assert np.flatnonzero(errors.suggested >= 0).tolist() == sorted(errors.rows.tolist())
    assert LabelErrors.from_dict(errors.to_dict()) == errors


def test_a_model_that_may_be_no_better_than_chance_doubts_no_label():
    _, labels, probabilities = flip_labels()
    errors = find_label_errors(probabilities, labels, UNCLEAR)
    assert (errors.count, errors.n_trusted) == (0, 0)
    assert (errors.suggested == -1).all()


def test_an_item_is_solved_when_the_control_predicts_and_knows_it():
    shares = np.array([[0.9, 0.1], [0.52, 0.48], [0.2, 0.8]])
    assert find_solvable_items(shares, np.array([0, 0, 0]), np.full(3, np.log(2))).tolist() == [False, False, False]
    assert find_solvable_items(shares, np.array([0, 0, 1]), np.full(3, np.log(2))).tolist() == [True, False, True]


def simulate(noise: float, n: int = 4000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return calibrated probabilities of two labels, and labels of which a share is flipped at random."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.3, 0.3, n)
    labels = (rng.random(n) < p).astype(int)
    flipped = rng.random(n) < noise
    return np.column_stack([1 - p, p]), np.where(flipped, 1 - labels, labels)


def test_the_share_that_differs_where_the_model_is_most_confident_is_the_noise():
    for noise in (0.03, 0.1):
        bound = bound_random_errors(*simulate(noise))
        assert bound.low < noise < bound.high
        assert abs(bound.value - noise) < 0.03


def test_without_noise_the_lower_end_is_near_zero():
    assert bound_random_errors(*simulate(0.0)).low < 0.005


def test_the_interval_is_seldom_above_the_noise():
    above = [bound_random_errors(*simulate(0.02, 1000, seed)).low > 0.02 for seed in range(200)]
    assert np.mean(above) <= 0.05


def test_few_items_are_taken_together():
    probabilities, labels = simulate(0.1, 30)
    wrong = (probabilities.argmax(axis=1) != labels).mean()
    assert bound_random_errors(probabilities, labels).value == wrong


def test_a_model_that_is_never_right_is_not_trusted():
    assert not mark_trusted(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([1, 1])).any()
