import numpy as np

from assay.discrimination import find_negative_discrimination


def draw_answers(n_systems, n_items, seed, slope=2.0):
    generator = np.random.default_rng(seed)
    ability, difficulty = generator.normal(size=n_systems), generator.normal(size=n_items)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    return (generator.random((n_systems, n_items)) < chance).astype(float), ability


def test_reversed_items_are_found():
    table, _ = draw_answers(60, 80, 0)
    table[:, :5] = 1 - table[:, :5]
    assert set(find_negative_discrimination(table).items.tolist()) <= set(range(5))
    assert find_negative_discrimination(table).n_negative >= 3


def test_no_item_is_found_if_none_is_reversed():
    result = [
        find_negative_discrimination(draw_answers(40, 100, seed)[0], n_permutations=5000).n_negative
        for seed in range(10)
    ]
    assert sum(count > 0 for count in result) <= 2


def test_three_systems_show_nothing():
    assert find_negative_discrimination([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).n_negative == 0


def test_uninformative_items_are_not_tested():
    table, _ = draw_answers(20, 30, 0)
    table[:, 3] = 1
    result = find_negative_discrimination(table, n_permutations=2000)
    assert np.isnan(result.p_values[3])
    assert result.n_tested <= 29


def test_the_p_value_of_a_small_table_is_the_share_of_permutations():
    # Three systems, item 0 right for the worst only: one of the three permutations has as low a covariance.
    table = np.array([[0, 1, 1], [0, 1, 0], [1, 0, 0.0]])
    assert abs(find_negative_discrimination(table, n_permutations=20_000).p_values[0] - 1 / 3) < 0.02
