import numpy as np

from assay.discrimination import stability_of_first


def test_a_dominant_system_stays_first():
    found = stability_of_first(np.array([[0.0] * 20, [1.0] * 20, [0, 1] * 10]))
    assert (found.first, found.share_first, found.also_first) == (1, 1.0, {})


def test_two_equal_coins_share_the_first_place():
    first = np.array([1.0] * 201 + [0.0] * 199)
    table = np.stack([first, 1 - first])
    found = stability_of_first(table)
    assert 0.4 < found.share_first < 0.8
    assert found.also_first


def test_groups_stay_whole():
    table = np.repeat(np.array([[1.0, 1, 0, 1], [0, 0, 1, 0]]), 5, axis=1)
    assert stability_of_first(table, groups=np.repeat(np.arange(4), 5)).share_first == 1.0


def test_one_system_is_undefined():
    assert "at least 2 of each" in stability_of_first([[1, 0, 1]]).reason
