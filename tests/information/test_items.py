import numpy as np

from assay.information.items import shortcut_solvable, suspected_errors


def test_flipped_labels_are_suspected():
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 2, 400)
    sure = np.where(np.eye(2)[truth] == 1, 0.95, 0.05)
    given = truth.copy()
    given[:12] = 1 - given[:12]
    suspected = suspected_errors(sure, given, np.full(400, np.log(2)))
    assert np.flatnonzero(suspected >= 0).tolist() == list(range(12))
    assert (suspected[:12] == truth[:12]).all()


def test_a_model_that_knows_nothing_suspects_nobody():
    draw = np.random.default_rng(0)
    noise = draw.dirichlet(np.ones(2), 300)
    assert (suspected_errors(noise, draw.integers(0, 2, 300), np.full(300, np.log(2))) == -1).all()


def test_an_item_is_solved_when_the_control_names_and_knows_it():
    shares = np.array([[0.9, 0.1], [0.52, 0.48], [0.2, 0.8]])
    assert shortcut_solvable(shares, np.array([0, 0, 0]), np.full(3, np.log(2))).tolist() == [False, False, False]
    assert shortcut_solvable(shares, np.array([0, 0, 1]), np.full(3, np.log(2))).tolist() == [True, False, True]
