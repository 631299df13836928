"""Checks of task-specific information."""

from itertools import product

import numpy as np
import pytest
from benchmarks.studies.information.nearest_neighbours import study_neighbours
from benchmarks.studies.information.toy import draw_toy_data, measure_toy_gap
from benchmarks.studies.information.training_size import SizeStudy, study_training_size


@pytest.mark.parametrize("setting", [*product(("sum", "and"), (2, 5), (0.5,), (0.1, 0.5))])
def test_toy_losses_come_near_the_entropy_on_a_small_grid(setting):
    assert abs(measure_toy_gap(*setting, n_train=4000, n_dev=8000, seed=0)) < 0.04


@pytest.mark.parametrize(("g", "largest"), [("sum", 4), ("and", 2)])
def test_toy_labels_are_the_function_plus_noise(g, largest):
    X, y = draw_toy_data(g, 3, 0.5, 0.5, 500, 0)
    base = X.sum(axis=1) if g == "sum" else X.all(axis=1)
    assert set(np.unique(y - base)) == {0, 1}
    assert y.max() == largest


def draw_texts(n: int = 300):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, n)
    return [
        f"a {'good' if label else 'poor'} thing {word}"
        for label, word in zip(labels, rng.integers(0, 9, n), strict=True)
    ], labels


def test_more_training_data_shows_more_information():
    found = study_training_size(*draw_texts(), sizes=(20, 200), n_repeats=1, controls=("boosting",), search=False)
    small, large = found.curve
    assert large.size > small.size
    assert large.tsi >= small.tsi - 0.05
    assert SizeStudy.from_dict(found.to_dict()).to_dict() == found.to_dict()


def test_neighbours_are_compared_with_losses():
    found = study_neighbours(*draw_texts(), size=100, n_repeats=2, controls=("boosting",), search=False)
    assert len(found.draws) == 2
    assert found.tsi_losses > 0.3
    assert found.to_frame()["tsi"].to_list() == [draw.tsi for draw in found.draws]
