import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.base.errors import UsageError
from assay.discrimination import measure_hit_rate

TABLES = arrays(np.int8, st.tuples(st.integers(2, 4), st.integers(1, 12)), elements=st.integers(0, 1))


def count_hits(outcomes, resampling):
    """Count all resamples of a tiny test set one by one."""
    from itertools import combinations, product

    table = np.asarray(outcomes, dtype=float)
    n = table.shape[1]
    draws = product(range(n), repeat=n) if resampling == "bootstrap" else combinations(range(n), max(1, round(0.8 * n)))
    sums = np.array([table[:, list(draw)].sum(axis=1) for draw in draws])
    chances = []
    for i, j in zip(*np.triu_indices(len(table), 1), strict=True):
        up, down = np.mean(sums[:, i] > sums[:, j]), np.mean(sums[:, i] < sums[:, j])
        full = table[i].sum() - table[j].sum()
        chances.append(up if full > 0 else down if full < 0 else (up + down) / 2)
    return np.mean(chances)


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample"])
def test_it_equals_a_count_of_all_resamples(resampling):
    outcomes = [[1, 1, 1, 0, 1], [1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]]
    assert measure_hit_rate(outcomes, resampling).lambda_hit == pytest.approx(
        count_hits(outcomes, resampling), abs=1e-12
    )


@settings(deadline=None)
@given(TABLES)
def test_the_order_of_systems_and_items_does_not_matter(table):
    turned = measure_hit_rate(table[::-1, ::-1]).lambda_hit
    assert measure_hit_rate(table).lambda_hit == pytest.approx(turned, abs=1e-12)


@settings(deadline=None)
@given(TABLES)
def test_it_is_between_0_and_1(table):
    assert 0 <= measure_hit_rate(table).lambda_hit <= 1


def test_equal_answers_are_not_a_win():
    assert measure_hit_rate([[1, 0, 1], [1, 0, 1]]).lambda_hit == 0


def test_a_tie_on_the_full_set_counts_half_of_the_untied_resamples():
    # b = c = 1 of n = 2: of the four bootstrap draws one is won by each and two are ties.
    assert measure_hit_rate([[1, 0], [0, 1]]).lambda_hit == pytest.approx(0.25)


@pytest.mark.parametrize("resampling", ["bootstrap", "subsample"])
def test_resampled_means_agree_with_the_exact_rate(resampling):
    table = (np.random.default_rng(0).random((4, 200)) < np.array([[0.6], [0.63], [0.7], [0.71]])).astype(float)
    exact = measure_hit_rate(table, resampling)
    drawn = measure_hit_rate(
        table, resampling, metric=lambda sums: sums[..., 0], statistics=table[:, :, None], n_resamples=20_000
    )
    assert exact.method == "exact"
    assert drawn.method == "sums"
    assert drawn.lambda_hit == pytest.approx(exact.lambda_hit, abs=4 * 0.5 / math.sqrt(20_000))


def test_plain_resampling_agrees_with_sums():
    table = np.random.default_rng(0).random((3, 60))
    plain = measure_hit_rate(table, metric=np.mean, n_resamples=500)
    sums = measure_hit_rate(table, n_resamples=500)
    assert plain.method == "resampling"
    assert plain.lambda_hit == pytest.approx(sums.lambda_hit, abs=1e-9)


def test_f1_by_sums_agrees_with_plain_resampling_of_the_items():
    generator = np.random.default_rng(2)
    gold = generator.integers(0, 2, 150)
    systems = np.where(generator.random((3, 150)) < np.array([[0.6], [0.7], [0.75]]), gold, 1 - gold)
    hits, predicted = systems * gold, systems
    statistics = np.stack([hits, predicted, np.broadcast_to(gold, systems.shape)], axis=2)

    def f1(sums):
        return 2 * sums[..., 0] / np.maximum(1, sums[..., 1] + sums[..., 2])

    def plain(codes):
        chosen, truth = codes // 2, codes % 2
        return 2 * (chosen * truth).sum() / max(1, chosen.sum() + truth.sum())

    by_sums = measure_hit_rate(None, statistics=statistics, metric=f1, n_resamples=400)
    by_calls = measure_hit_rate(2 * systems + gold, metric=plain, n_resamples=400)
    assert by_sums.lambda_hit == pytest.approx(by_calls.lambda_hit, abs=1e-9)


def test_the_interval_over_items_contains_the_value():
    table = (np.random.default_rng(0).random((5, 300)) < np.linspace(0.6, 0.8, 5)[:, None]).astype(float)
    result = measure_hit_rate(table, interval=True)
    assert result.low <= result.lambda_hit <= result.high
    numbers = measure_hit_rate(table[:3, :80] * 0.5, interval=True, n_resamples=1000)
    assert numbers.low <= numbers.lambda_hit <= numbers.high


def test_the_interval_covers_the_true_hit_rate():
    truth, n = np.array([0.70, 0.72, 0.76]), 400
    ups = [(a * (1 - b), b * (1 - a)) for a, b in ((0.72, 0.70), (0.76, 0.70), (0.76, 0.72))]
    draws = [np.random.default_rng(1).multinomial(n, [up, down, 1 - up - down], 200_000) for up, down in ups]
    expected = np.mean([(one[:, 0] > one[:, 1]).mean() for one in draws])
    generator, covered = np.random.default_rng(0), 0
    for seed in range(60):
        result = measure_hit_rate(generator.random((3, n)) < truth[:, None], interval=True, random_state=seed)
        covered += result.low <= expected <= result.high
    assert covered >= 54


def test_a_missing_outcome_leaves_its_item_out_of_the_pair():
    table = np.array([[1, 1, 0, 1, math.nan], [0, 1, 0, 1, 1.0]])
    assert measure_hit_rate(table).lambda_hit == measure_hit_rate(table[:, :4]).lambda_hit


def test_groups_are_sampled_whole():
    table = np.repeat([[1.0, 0, 1], [0, 1, 0]], 4, axis=1)
    result = measure_hit_rate(table, groups=np.repeat([0, 1, 2], 4), n_resamples=4000)
    assert result.method == "sums"
    assert result.lambda_hit == pytest.approx(measure_hit_rate(table[:, ::4]).lambda_hit, abs=0.04)


def test_one_system_is_undefined():
    result = measure_hit_rate([[1, 0, 1]])
    assert math.isnan(result.lambda_hit)
    assert "at least 2 systems" in result.reason


def test_an_unknown_resampling_lists_the_known_ones():
    with pytest.raises(UsageError, match=r"No resampling 'jackknife'\. Known: bootstrap, subsample"):
        measure_hit_rate([[1], [0]], "jackknife")


def test_a_share_outside_0_to_1_is_refused():
    with pytest.raises(UsageError, match=r"share is 1\.5"):
        measure_hit_rate([[1], [0]], "subsample", share=1.5)


def test_outcomes_must_be_a_table():
    with pytest.raises(UsageError, match="systems × items are needed"):
        measure_hit_rate([1, 0, 1])


def test_the_same_seed_gives_the_same_number():
    table = np.random.default_rng(0).random((3, 40))
    assert measure_hit_rate(table, n_resamples=200) == measure_hit_rate(table, n_resamples=200)


def test_a_million_items_work():
    generator = np.random.default_rng(0)
    table = generator.random((3, 1_000_000)) < np.array([[0.700], [0.7005], [0.702]])
    result = measure_hit_rate(table)
    assert result.method == "exact"
    assert 0.5 < result.lambda_hit < 1
