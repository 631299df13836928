import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import ranks


def drawn(truth, n, seed):
    return (np.random.default_rng(seed).random((len(truth), n)) < np.array(truth)[:, None]).astype(float)


def test_clearly_different_systems_have_one_rank_each():
    found = ranks(drawn([0.9, 0.6, 0.3], 2000, 0))
    assert found.rank_low.tolist() == found.rank_high.tolist() == found.rank.tolist() == [1, 2, 3]
    assert found.tie_group.tolist() == found.first_band.tolist() == found.last_band.tolist() == [1, 2, 3]
    assert found.p_best[0] > 0.999


def test_equal_systems_share_rank_group_and_chance():
    table = np.tile(drawn([0.7], 500, 1), (3, 1))
    found = ranks(table)
    assert found.rank.tolist() == [1, 1, 1]
    assert found.rank_high.tolist() == [3, 3, 3]
    assert found.tie_group.tolist() == [1, 1, 1]
    assert found.p_best == pytest.approx([1 / 3] * 3)


def test_rank_intervals_hold_the_true_rank_and_equals_share_a_group():
    truth = np.array([0.8, 0.8, 0.74, 0.7, 0.6])
    best, worst = np.array([1, 1, 3, 4, 5]), np.array([2, 2, 3, 4, 5])
    held, tied = [], []
    for seed in range(150):
        found = ranks(drawn(truth, 300, seed), n_draws=500, random_state=seed)
        held.append((found.rank_low <= best) & (found.rank_high >= worst))
        tied.append(found.tie_group[0] == found.tie_group[1])
    assert np.mean(held) >= 0.93
    assert np.mean(tied) >= 0.93


def test_systems_not_clearly_apart_share_a_band():
    found = ranks(drawn(np.linspace(0.6, 0.7, 12), 800, 3))
    overlap = (found.first_band[:, None] <= found.last_band) & (found.first_band <= found.last_band[:, None])
    apart = found.better | found.better.T
    assert (overlap | apart).all()


def test_clusters_widen_the_intervals():
    table = np.repeat(drawn([0.8, 0.7, 0.6], 40, 0), 20, axis=1)
    alone = ranks(table)
    whole = ranks(table, groups=np.repeat(np.arange(40), 20))
    assert (whole.standard_error > 2 * alone.standard_error).all()


def test_datasets_weigh_the_same_whatever_their_size():
    table = np.concatenate([np.tile([[1.0], [0.0]], (1, 90)), np.tile([[0.0], [1.0]], (1, 10))], axis=1)
    found = ranks(table, datasets=[0] * 90 + [1] * 10)
    assert found.score.tolist() == [0.5, 0.5]


def test_drawing_datasets_too_is_wider_than_items_alone():
    table = drawn([0.8, 0.7], 600, 0)
    datasets = np.repeat(np.arange(6), 100)
    table[0, datasets == 3] = 0
    errors = {
        over: ranks(table, over=over, datasets=datasets).standard_error[0] for over in ("items", "datasets", "both")
    }
    assert errors["both"] >= errors["datasets"] > errors["items"]


@pytest.mark.parametrize("aggregate", ["mean", "borda", "win-rate"])
def test_every_aggregation_ranks_a_dominant_system_first(aggregate):
    table = np.random.default_rng(0).random((4, 12))
    table[2] += 1
    assert ranks(table, over="datasets", aggregate=aggregate).rank[2] == 1


def test_the_order_of_systems_does_not_matter():
    table = drawn([0.8, 0.75, 0.6, 0.5], 400, 5)
    forward, turned = ranks(table), ranks(table[::-1])
    assert forward.rank.tolist() == turned.rank[::-1].tolist()
    assert forward.rank_high.tolist() == turned.rank_high[::-1].tolist()


def test_one_unit_gives_ranks_without_intervals():
    found = ranks([[0.3], [0.6]], over="datasets")
    assert found.rank.tolist() == [2, 1]
    assert np.isnan(found.rank_low).all()
    assert "at least 2 of each" in found.reason


def test_many_systems_use_sidak():
    found = ranks(np.random.default_rng(0).random((200, 6)), over="datasets")
    assert (found.rank_low <= found.rank).all()
    assert (found.rank_high >= found.rank).all()


def test_missing_cells_are_refused():
    with pytest.raises(UsageError, match="missing cells"):
        ranks([[1.0, np.nan], [0.0, 1.0]])
