"""Labels that are probably wrong, and what losses tell about single items."""

import numpy as np

from assay.information.item_information import build_item_table, find_solvable_items, suggest_labels


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


def test_an_item_is_solved_when_the_control_predicts_and_knows_it():
    shares = np.array([[0.9, 0.1], [0.52, 0.48], [0.2, 0.8]])
    assert find_solvable_items(shares, np.array([0, 0, 0]), np.full(3, np.log(2))).tolist() == [False, False, False]
    assert find_solvable_items(shares, np.array([0, 0, 1]), np.full(3, np.log(2))).tolist() == [True, False, True]
