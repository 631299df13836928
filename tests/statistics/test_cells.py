from __future__ import annotations

import numpy as np

from assay.statistics import bootstrap_weights, cell_sums


def test_sums_are_the_weights_times_the_statistics_of_each_item():
    generator = np.random.default_rng(0)
    systems = [(generator.integers(7, size=50), generator.normal(size=(7, 3))) for _ in range(2)]
    weights = bootstrap_weights(50, 20, random_state=5)
    for (cells, table), ours in zip(systems, cell_sums(systems, 20, random_state=5), strict=True):
        assert np.allclose(ours, weights @ table[cells])


def test_items_without_a_cell_do_not_count():
    cells, table = np.array([0, -1, 0, -1]), np.array([[1.0]])
    weights = bootstrap_weights(4, 30)
    assert np.array_equal(cell_sums([(cells, table)], 30)[0][:, 0], weights[:, [0, 2]].sum(axis=1))


def test_no_systems_have_no_sums():
    assert cell_sums([]) == []
