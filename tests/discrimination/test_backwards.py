import numpy as np

from assay.discrimination import backwards_items


def answers(n_systems, n_items, seed, slope=2.0):
    generator = np.random.default_rng(seed)
    ability, difficulty = generator.normal(size=n_systems), generator.normal(size=n_items)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    return (generator.random((n_systems, n_items)) < chance).astype(float), ability


def test_turned_items_are_found():
    table, _ = answers(60, 80, 0)
    table[:, :5] = 1 - table[:, :5]
    assert set(backwards_items(table).items.tolist()) <= set(range(5))
    assert backwards_items(table).n_backwards >= 3


def test_none_is_found_where_none_is():
    found = [backwards_items(answers(40, 100, seed)[0], n_permutations=5000).n_backwards for seed in range(10)]
    assert sum(count > 0 for count in found) <= 2


def test_few_systems_can_show_nothing():
    assert backwards_items([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).n_backwards == 0


def test_dead_items_are_not_tested():
    table, _ = answers(20, 30, 0)
    table[:, 3] = 1
    found = backwards_items(table, n_permutations=2000)
    assert np.isnan(found.p_values[3])
    assert found.n_tested <= 29


def test_the_p_value_of_a_tiny_table_is_the_share_of_deals():
    # Three systems, item 0 right for the worst only: of the three deals of one right answer one is as low.
    table = np.array([[0, 1, 1], [0, 1, 0], [1, 0, 0.0]])
    assert abs(backwards_items(table, n_permutations=20_000).p_values[0] - 1 / 3) < 0.02
