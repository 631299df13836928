import numpy as np

from assay.discrimination.subsets import orders, sign_kernel
from assay.discrimination.subsets.pair_agreement import draw_pairs, measure_agreement


def draw_columns(n_systems, n_columns):
    generator = np.random.default_rng(0)
    columns = generator.normal(size=(n_systems, 1)) + generator.normal(size=(n_systems, n_columns))
    return columns, draw_pairs(np.ones(n_systems, dtype=bool), generator)


def test_every_step_compares_a_bounded_number_of_columns(monkeypatch):
    sizes = []
    count_signs = sign_kernel.count_signs

    def count(total, rows, chosen, *pairs):
        sizes.append(len(chosen))
        return count_signs(total, rows, chosen, *pairs)

    monkeypatch.setattr(sign_kernel, "count_signs", count)
    columns, pairs = draw_columns(30, 90)
    assert sorted(orders.order_greedily(columns, pairs)) == list(range(90))
    assert max(sizes) == orders.MAX_CANDIDATES
    assert sum(sizes) <= 90 * orders.MAX_CANDIDATES


def test_the_preselection_loses_little_agreement(monkeypatch):
    columns, pairs = draw_columns(60, 80)
    sizes = list(range(1, 81))
    bounded = measure_agreement(columns, orders.order_greedily(columns, pairs), sizes, pairs)
    monkeypatch.setattr(orders, "MAX_CANDIDATES", 80)
    full = measure_agreement(columns, orders.order_greedily(columns, pairs), sizes, pairs)
    assert np.abs(bounded - full).max() < 0.03
