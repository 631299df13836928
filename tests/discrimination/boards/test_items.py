"""Saturation over items, and how few items rank systems."""

from __future__ import annotations

import numpy as np
import pytest

from assay.discrimination import Outcomes, measure_adaptive_choice, measure_item_saturation


def make_outcomes(table: list[list[float]], **options: object) -> Outcomes:
    systems = tuple(f"s{row}" for row in range(len(table)))
    return Outcomes("all", "d", "accuracy", systems, np.array(table, dtype=float), **options)


def test_saturation_by_hand():
    table = [[1, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]]
    found = measure_item_saturation(make_outcomes(table), k=3)
    assert found.best == "s0"
    assert found.headroom.value == pytest.approx(12.5)
    assert found.gap.value == pytest.approx(37.5)
    gaps = 100 * (np.array(table[0]) - np.array(table[2]))
    error = gaps.std(ddof=1) / np.sqrt(8)
    assert found.index == pytest.approx(np.exp(-((37.5 / error) ** 2)))
    assert found.all_right.value == pytest.approx(4 / 8)
    assert found.separating.value == pytest.approx(3 / 8)
    assert found.headroom.low < 12.5 < found.headroom.high


def test_the_gap_of_equal_systems_is_known():
    generator = np.random.default_rng(0)
    found = [
        measure_item_saturation(make_outcomes((generator.random((5, 300)) < 0.8).tolist()), n_resamples=10)
        for _ in range(150)
    ]
    gap, expected = (np.mean([row.gap.value for row in found]), np.mean([row.gap_if_equal for row in found]))
    assert gap == pytest.approx(expected, rel=0.06)
    assert np.median([row.index for row in found]) < 0.2  # not near 1, as the definition suggests


def test_groups_widen_the_interval():
    generator = np.random.default_rng(1)
    shifts = np.repeat(generator.random((2, 20)) < [[0.9], [0.6]], 10, axis=1).astype(float)
    alone = measure_item_saturation(make_outcomes(shifts.tolist()))
    grouped = measure_item_saturation(make_outcomes(shifts.tolist(), groups=np.repeat(np.arange(20), 10)))
    assert grouped.gap.high - grouped.gap.low > 2 * (alone.gap.high - alone.gap.low)


def simulate_answers(n_systems: int, n_items: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    ability, difficulty = generator.normal(size=n_systems), generator.normal(size=n_items)
    slope = generator.lognormal(0.3, 0.6, n_items)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    return (generator.random((n_systems, n_items)) < chance).astype(float)


def test_chosen_items_rank_held_out_systems_better_than_random_ones():
    found = measure_adaptive_choice(simulate_answers(40, 250))
    first = found.sizes[1]
    assert first.n_items == 10
    assert first.tau_adaptive > first.tau_random + 0.1
    assert first.error_adaptive < first.error_random
    assert found.needed_adaptive is not None
    assert found.needed_random is None or found.needed_adaptive <= found.needed_random


def test_items_that_measure_nothing_are_no_better_when_chosen():
    generator = np.random.default_rng(3)
    found = measure_adaptive_choice((generator.random((20, 110)) < 0.5).astype(float))
    assert found.sizes[0].tau_adaptive < 0.35
    assert found.sizes[0].tau_adaptive < found.sizes[-1].tau_random


def test_scores_that_are_not_right_or_wrong_are_refused_with_a_reason():
    assert measure_adaptive_choice(np.full((10, 30), 0.5)).reason == "outcomes are not 0 and 1"
    assert "at least 8" in measure_adaptive_choice(np.ones((3, 30))).reason


def test_missing_answers_are_never_chosen():
    answers = simulate_answers(20, 60)
    answers[0, :55] = np.nan
    assert np.isfinite(measure_adaptive_choice(answers).sizes[-1].error_adaptive)
