import numpy as np

from assay.discrimination.hit_interval import hit_ends


def test_equal_systems_may_be_won_by_chance_alone():
    scores = np.array([0.70, 0.71])
    drawn = scores + np.random.default_rng(0).normal(scale=0.03, size=(1000, 2))
    low, high = hit_ends(0.59, scores, drawn)
    assert 0.45 < low <= 0.51
    assert high > 0.9


def test_systems_far_apart_are_certain():
    scores = np.array([0.2, 0.9])
    drawn = scores + np.random.default_rng(0).normal(scale=0.01, size=(1000, 2))
    assert min(hit_ends(1.0, scores, drawn)) > 0.999


def test_ties_on_a_coarse_lattice_lower_the_chance():
    scores = np.array([0.5, 0.5])
    drawn = scores + np.random.default_rng(0).normal(scale=0.1, size=(1000, 2))
    assert hit_ends(0.4, scores, drawn, lattice=0.1)[0] < hit_ends(0.5, scores, drawn)[0]


def test_undefined_scores_have_no_interval():
    assert np.isnan(hit_ends(0.5, np.array([np.nan, 1.0]), np.ones((10, 2)))).all()
