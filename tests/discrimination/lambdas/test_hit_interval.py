import numpy as np

from assay.discrimination.lambdas.hit_interval import compute_hit_interval


def test_close_systems_are_compatible_with_chance():
    scores = np.array([0.70, 0.71])
    drawn = scores + np.random.default_rng(0).normal(scale=0.03, size=(1000, 2))
    low, high = compute_hit_interval(0.59, scores, drawn)
    assert 0.45 < low <= 0.51
    assert high > 0.9


def test_the_winner_of_very_different_systems_is_certain():
    scores = np.array([0.2, 0.9])
    drawn = scores + np.random.default_rng(0).normal(scale=0.01, size=(1000, 2))
    assert min(compute_hit_interval(1.0, scores, drawn)) > 0.999


def test_ties_on_a_coarse_lattice_lower_the_probability():
    scores = np.array([0.5, 0.5])
    drawn = scores + np.random.default_rng(0).normal(scale=0.1, size=(1000, 2))
    assert compute_hit_interval(0.4, scores, drawn, lattice=0.1)[0] < compute_hit_interval(0.5, scores, drawn)[0]


def test_undefined_scores_have_no_interval():
    assert np.isnan(compute_hit_interval(0.5, np.array([np.nan, 1.0]), np.ones((10, 2)))).all()
