import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import rank_systems


def draw_outcomes(truth, n, seed):
    return (np.random.default_rng(seed).random((len(truth), n)) < np.array(truth)[:, None]).astype(float)


def test_clearly_different_systems_have_one_rank_each():
    result = rank_systems(draw_outcomes([0.9, 0.6, 0.3], 2000, 0))
    assert result.rank_low.tolist() == result.rank_high.tolist() == result.rank.tolist() == [1, 2, 3]
    assert result.tie_group.tolist() == result.first_band.tolist() == result.last_band.tolist() == [1, 2, 3]
    assert result.p_best[0] > 0.999


def test_equal_systems_share_rank_group_and_probability():
    table = np.tile(draw_outcomes([0.7], 500, 1), (3, 1))
    result = rank_systems(table)
    assert result.rank.tolist() == [1, 1, 1]
    assert result.rank_high.tolist() == [3, 3, 3]
    assert result.tie_group.tolist() == [1, 1, 1]
    assert result.p_best == pytest.approx([1 / 3] * 3)


def test_rank_intervals_contain_the_true_rank_and_equal_systems_share_a_group():
    truth = np.array([0.8, 0.8, 0.74, 0.7, 0.6])
    best, worst = np.array([1, 1, 3, 4, 5]), np.array([2, 2, 3, 4, 5])
    covered, tied = [], []
    for seed in range(150):
        result = rank_systems(draw_outcomes(truth, 300, seed), n_draws=500, random_state=seed)
        covered.append((result.rank_low <= best) & (result.rank_high >= worst))
        tied.append(result.tie_group[0] == result.tie_group[1])
    assert np.mean(covered) >= 0.93
    assert np.mean(tied) >= 0.93


def test_systems_that_are_not_different_share_a_band():
    result = rank_systems(draw_outcomes(np.linspace(0.6, 0.7, 12), 800, 3))
    overlap = (result.first_band[:, None] <= result.last_band) & (result.first_band <= result.last_band[:, None])
    different = result.better | result.better.T
    assert (overlap | different).all()


def test_clusters_widen_the_intervals():
    table = np.repeat(draw_outcomes([0.8, 0.7, 0.6], 40, 0), 20, axis=1)
    alone = rank_systems(table)
    whole = rank_systems(table, groups=np.repeat(np.arange(40), 20))
    assert (whole.standard_error > 2 * alone.standard_error).all()


def test_datasets_have_the_same_weight_whatever_their_size():
    table = np.concatenate([np.tile([[1.0], [0.0]], (1, 90)), np.tile([[0.0], [1.0]], (1, 10))], axis=1)
    result = rank_systems(table, datasets=[0] * 90 + [1] * 10)
    assert result.score.tolist() == [0.5, 0.5]


def test_sampling_datasets_gives_larger_errors_than_items_alone():
    table = draw_outcomes([0.8, 0.7], 600, 0)
    datasets = np.repeat(np.arange(6), 100)
    table[0, datasets == 3] = 0
    errors = {
        over: rank_systems(table, over=over, datasets=datasets).standard_error[0]
        for over in ("items", "datasets", "both")
    }
    assert errors["both"] >= errors["datasets"] > errors["items"]


@pytest.mark.parametrize("aggregate", ["mean", "borda", "win-rate"])
def test_every_aggregation_ranks_a_dominant_system_first(aggregate):
    table = np.random.default_rng(0).random((4, 12))
    table[2] += 1
    assert rank_systems(table, over="datasets", aggregate=aggregate).rank[2] == 1


def test_the_order_of_systems_does_not_matter():
    table = draw_outcomes([0.8, 0.75, 0.6, 0.5], 400, 5)
    forward, turned = rank_systems(table), rank_systems(table[::-1])
    assert forward.rank.tolist() == turned.rank[::-1].tolist()
    assert forward.rank_high.tolist() == turned.rank_high[::-1].tolist()


def test_one_unit_gives_ranks_without_intervals():
    result = rank_systems([[0.3], [0.6]], over="datasets")
    assert result.rank.tolist() == [2, 1]
    assert np.isnan(result.rank_low).all()
    assert "at least 2 of each" in result.reason


def test_many_systems_use_sidak():
    result = rank_systems(np.random.default_rng(0).random((200, 6)), over="datasets")
    assert (result.rank_low <= result.rank).all()
    assert (result.rank_high >= result.rank).all()


def test_missing_cells_are_refused():
    with pytest.raises(UsageError, match="missing cells"):
        rank_systems([[1.0, np.nan], [0.0, 1.0]])


def test_marginal_intervals_lie_within_the_simultaneous_ones_and_are_narrower():
    generator = np.random.default_rng(0)
    table = (generator.random((10, 400)) < np.linspace(0.5, 0.75, 10)[:, None]).astype(float)
    ranking = rank_systems(table)
    assert (ranking.rank_low <= ranking.marginal_low).all()
    assert (ranking.marginal_low <= ranking.rank).all()
    assert (ranking.rank <= ranking.marginal_high).all()
    assert (ranking.marginal_high <= ranking.rank_high).all()
    assert (ranking.marginal_high - ranking.marginal_low).sum() < (ranking.rank_high - ranking.rank_low).sum()


def test_a_marginal_interval_counts_the_paired_t_tests():
    from scipy.stats import ttest_rel

    generator = np.random.default_rng(1)
    table = (generator.random((6, 300)) < np.linspace(0.5, 0.7, 6)[:, None]).astype(float)
    ranking = rank_systems(table)
    for row in range(6):
        tests = [ttest_rel(table[other], table[row]) for other in range(6) if other != row]
        n_better = sum(test.pvalue < 0.05 and test.statistic > 0 for test in tests)
        n_worse = sum(test.pvalue < 0.05 and test.statistic < 0 for test in tests)
        assert (ranking.marginal_low[row], ranking.marginal_high[row]) == (1 + n_better, 6 - n_worse)
