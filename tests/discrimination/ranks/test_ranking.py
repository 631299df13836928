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


def test_a_system_without_any_outcome_is_refused():
    with pytest.raises(UsageError, match="a system without any"):
        rank_systems([[np.nan, np.nan], [0.0, 1.0]])


def test_simultaneous_intervals_hold_for_all_systems_at_once():
    false_claims = 0
    for seed in range(300):
        result = rank_systems(draw_outcomes([0.7] * 6, 200, seed), n_draws=1000, random_state=seed)
        false_claims += bool((result.rank_low > 1).any() or (result.rank_high < 6).any())
    # 5% of the boards at most; 300 boards with a rate of 5% have more than 24 in 1% of cases.
    assert false_claims <= 24


def test_simultaneous_intervals_hold_over_few_datasets():
    generator = np.random.default_rng(0)
    false_claims = 0
    for _ in range(200):
        result = rank_systems(generator.normal(size=(6, 5)), over="datasets")
        false_claims += bool((result.rank_low > 1).any() or (result.rank_high < 6).any())
    assert false_claims <= 17


def test_the_same_difference_everywhere_is_not_a_certainty():
    few = rank_systems([[56, 62, 70], [55, 61, 69], [50, 60, 60]], over="datasets")
    assert few.rank_low.tolist() == [1, 1, 1]
    many = rank_systems([[1.0] * 20, [0.0] * 20])
    assert many.rank_high.tolist() == [1, 2]


def test_sampling_errors_of_scores_widen_the_intervals():
    table = np.array([[60, 70, 80, 90, 75], [58.1, 68, 78.1, 88, 73], [50, 61, 70, 80, 66]])
    plain = rank_systems(table, over="datasets")
    widened = rank_systems(table, over="datasets", score_errors=np.full(table.shape, 4.0))
    assert plain.rank_high[0] == 1
    assert widened.rank_high[0] > 1
    assert (widened.standard_error > plain.standard_error).all()


def test_pairs_are_compared_on_the_items_that_both_have():
    # The items from 100 on are hard: the mean of all its items puts "hard" last, and the shared ones first.
    generator = np.random.default_rng(0)
    difficulty = np.r_[np.full(100, 0.9), np.full(100, 0.1)]
    table = (generator.random((3, 200)) < difficulty + np.array([[0.0], [0.0], [0.3]])).astype(float)
    table[2, :100] = np.nan
    result = rank_systems(table)
    assert result.score[2] < result.score[0]
    assert result.rank.tolist()[2] == 1
    assert result.n_items.tolist() == [200, 200, 100]
    shared = table[:, 100:]
    assert shared[2].mean() - shared[0].mean() > 0.2
    assert result.better[2, 0]
    assert (result.rank_low <= result.rank).all()
    assert (result.rank <= result.rank_high).all()


def test_missing_cells_widen_the_intervals():
    table = draw_outcomes([0.75, 0.65, 0.6], 600, 2)
    holes = table.copy()
    holes[0, 60:] = np.nan
    assert rank_systems(table).rank_high[0] < rank_systems(holes).rank_high[0]


def test_a_full_table_with_one_hole_has_nearly_the_same_ranks():
    table = draw_outcomes(np.linspace(0.5, 0.8, 8), 500, 4)
    holes = table.copy()
    holes[3, 7] = np.nan
    full, partial = rank_systems(table), rank_systems(holes)
    assert full.rank.tolist() == partial.rank.tolist()
    assert np.abs(full.rank_high - partial.rank_high).max() <= 1


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
