import numpy as np

from assay.discrimination.ranks.stability import measure_stability


def test_a_dominant_system_stays_first():
    result = measure_stability(np.array([[0.0] * 20, [1.0] * 20, [0, 1] * 10]))
    assert (result.system, result.share_first, result.also_first) == ("1", 1.0, {})


def test_two_equal_systems_share_the_first_place():
    first = np.array([1.0] * 201 + [0.0] * 199)
    table = np.stack([first, 1 - first])
    result = measure_stability(table)
    assert 0.4 < result.share_first < 0.8
    assert result.also_first


def test_groups_stay_whole():
    table = np.repeat(np.array([[1.0, 1, 0, 1], [0, 0, 1, 0]]), 5, axis=1)
    assert measure_stability(table, groups=np.repeat(np.arange(4), 5)).share_first == 1.0


def test_one_system_is_undefined():
    assert "at least 2 of each" in measure_stability([[1, 0, 1]]).reason
