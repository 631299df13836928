import numpy as np
import pytest

from assay.information.studies import STUDIES, ksg_study, size_study, toy_study
from assay.information.studies.toy import toy_data


def test_toy_losses_come_near_the_entropy_on_a_small_grid():
    found = toy_study(sizes=(2, 5), feature_shares=(0.5,), noise_shares=(0.1, 0.5), n_train=4000, n_dev=8000)
    assert found.n_settings == 8
    assert found.share_within == 1.0


@pytest.mark.parametrize(("g", "largest"), [("sum", 4), ("and", 2)])
def test_toy_labels_are_the_function_plus_noise(g, largest):
    X, y = toy_data(g, 3, 0.5, 0.5, 500, 0)
    base = X.sum(axis=1) if g == "sum" else X.all(axis=1)
    assert set(np.unique(y - base)) == {0, 1}
    assert y.max() == largest


def made(n: int = 300):
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 2, n)
    return [
        f"a {'good' if label else 'poor'} thing {word}"
        for label, word in zip(labels, draw.integers(0, 9, n), strict=True)
    ], labels


def test_more_training_data_shows_more_information():
    found = size_study(*made(), sizes=(20, 200), n_repeats=1, controls=("boosting",), search=False)
    small, large = found.curve
    assert large["size"] > small["size"]
    assert large["tsi"] >= small["tsi"] - 0.05


def test_neighbours_are_set_beside_losses():
    found = ksg_study(*made(), size=100, n_repeats=2, controls=("boosting",), search=False)
    assert len(found.draws) == 2
    assert found.tsi_losses > 0.3


def test_studies_have_names():
    assert list(STUDIES) == ["toy", "size", "ksg"]
