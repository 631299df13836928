import numpy as np
import pytest
from scipy.stats import kendalltau

from assay.discrimination.subsets.orders import order_greedily
from assay.discrimination.subsets.pair_agreement import MAX_PAIRS, draw_pairs, measure_agreement
from assay.discrimination.subsets.selection import select_datasets, select_items


def test_one_of_many_copies_is_enough():
    x = np.random.default_rng(0).normal(size=30)
    result = select_datasets(np.stack([x, 2 * x + 1, x - 3, 5 * x], axis=1))
    assert (result.size, result.agreement) == (1, 1.0)


def test_independent_datasets_are_all_needed():
    result = select_datasets(np.random.default_rng(0).normal(size=(40, 6)))
    assert result.size == 6


def test_agreement_is_measured_on_held_out_systems():
    # Pure noise: the chosen datasets fit the systems at hand better than the others.
    result = select_datasets(np.random.default_rng(1).normal(size=(30, 12)))
    assert result.front[0].agreement < result.front[0].agreement_all_systems


def test_the_front_rises_with_size():
    result = select_datasets(np.random.default_rng(0).normal(size=(40, 8)) + np.linspace(0, 2, 40)[:, None])
    sizes, taus = zip(*((point.size, point.agreement) for point in result.front), strict=True)
    assert list(sizes) == sorted(set(sizes))
    assert list(taus) == sorted(set(taus))


def test_few_items_keep_the_ranking_of_very_different_systems():
    generator = np.random.default_rng(0)
    table = (generator.random((20, 800)) < np.linspace(0.05, 0.95, 20)[:, None]).astype(float)
    result = select_items(table)
    assert result.size < 600
    assert len(result.chosen) == result.size


def test_too_few_systems_give_a_reason():
    assert "at least 6 systems" in select_datasets(np.ones((3, 4))).reason


def test_equal_systems_give_a_reason():
    assert "same mean" in select_datasets(np.ones((10, 4))).reason


def order_by_brute_force(columns, pairs):
    """Compare every pair under every remaining column, with Kendall's τ-b from signs."""

    def compute_signs(scores):
        return np.sign(np.round(scores[pairs.first] - scores[pairs.second], 9)).astype(np.float32)

    target = compute_signs(columns.sum(axis=1))
    left, total, order = list(range(columns.shape[1])), np.zeros(len(columns)), []
    while left:
        signs = compute_signs(total[:, None] + columns[:, left])
        size = np.sqrt((signs**2).sum(axis=0) * (target**2).sum())
        tau = np.divide(target @ signs, size, out=np.zeros(len(left), dtype=np.float32), where=size > 0)
        best = left.pop(int(tau.argmax()))
        total = total + columns[:, best]
        order.append(best)
    return order


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["noise", "one factor", "ties"])
def test_the_greedy_order_equals_brute_force(kind, seed):
    generator = np.random.default_rng(seed)
    columns = generator.normal(size=(40, 25))
    if kind == "one factor":
        columns += 2 * generator.normal(size=(40, 1))
    if kind == "ties":
        columns = np.round(columns)
        columns[:, 3] = columns[:, 7]
        columns[:, 5] = 0
    pairs = draw_pairs(np.ones(40, dtype=bool), generator)
    assert order_greedily(columns, pairs).tolist() == order_by_brute_force(columns, pairs)


def test_a_sample_of_pairs_represents_many_systems():
    generator = np.random.default_rng(0)
    held_out = np.arange(500) < 100
    pairs = draw_pairs(held_out, generator)
    assert len(pairs.first) == MAX_PAIRS
    assert (held_out[pairs.first] | held_out[pairs.second]).all()
    assert (pairs.first != pairs.second).all()


@pytest.mark.parametrize("seed", range(3))
def test_agreement_equals_kendalls_tau(seed):
    generator = np.random.default_rng(seed)
    columns = generator.normal(size=(30, 6)).round(1)
    pairs = draw_pairs(np.ones(30, dtype=bool), generator)
    order = generator.permutation(6)
    expected = [
        kendalltau(columns[:, order[:size]].sum(axis=1).round(9), columns.sum(axis=1).round(9)).statistic
        for size in (1, 3, 6)
    ]
    assert measure_agreement(columns, order, [1, 3, 6], pairs) == pytest.approx(expected, abs=1e-6)


def test_many_systems_and_datasets_are_selected():
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(300, 80)) + 2 * generator.normal(size=(300, 1))
    selection = select_datasets(scores)
    assert selection.size < 80
    assert selection.front[-1].agreement == 1.0
    assert selection.to_frame().columns == ["size", "agreement", "agreement_all_systems"]
