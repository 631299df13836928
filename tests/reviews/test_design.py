"""Items are drawn without replacement, with probabilities that are known and above zero."""

from __future__ import annotations

import numpy as np
import pytest

from assay.reviews.design import draw_items, mix_sizes


def draw(n_items: int, n_draws: int, suspicion: np.ndarray | None = None, seed: int = 0, share: float = 0.3):
    sizes = mix_sizes(n_items, n_draws, suspicion, suspicion_share=share)
    return draw_items(sizes, n_draws, np.random.default_rng(seed))


@pytest.mark.parametrize("n_items", [1, 2, 7, 60, 500])
@pytest.mark.parametrize("n_draws", [1, 3, 10, 59, 60, 400])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_the_drawn_items_are_distinct_and_stand_for_all(n_items, n_draws, share):
    suspicion = np.random.default_rng(n_items).random(n_items)
    result = draw(n_items, n_draws, suspicion, share=share)
    assert len(set(result.rows.tolist())) == len(result.rows) == min(n_draws, n_items)
    assert (1 / result.probabilities).sum() == pytest.approx(n_items)
    assert result.probabilities.min() > 0
    assert result.probabilities.max() <= 1


def test_items_are_drawn_as_often_as_their_probabilities_say():
    suspicion = np.linspace(1, 0, 50)
    drawn, probabilities = np.zeros(50), np.zeros(50)
    for seed in range(2000):
        result = draw(50, 10, suspicion, seed)
        drawn[result.rows] += 1
        probabilities[result.rows] = result.probabilities
    assert np.abs(drawn / 2000 - probabilities).max() < 0.06


def test_suspicious_items_are_drawn_more_often():
    suspicion = np.concatenate([np.full(20, 0.9), np.full(980, 0.1)])
    result = draw(1000, 60, suspicion)
    assert (result.rows < 20).sum() >= 10


def test_equal_suspicion_gives_equal_sizes_and_unknown_suspicion_the_least():
    sizes = mix_sizes(6, 2, np.array([0.5, 0.9, 0.5, np.nan, np.nan, 0.5]))
    assert sizes[0] == sizes[2] == sizes[5]
    assert sizes[1] > sizes[0] > sizes[3] == sizes[4]
    assert sizes.sum() == pytest.approx(1)


def test_only_the_order_of_the_suspicion_counts():
    suspicion = np.random.default_rng(0).random(40)
    assert mix_sizes(40, 10, suspicion).tolist() == mix_sizes(40, 10, suspicion**3).tolist()


def test_the_first_part_of_a_plan_has_items_of_every_stratum():
    result = draw(1000, 60, np.linspace(1, 0, 1000))
    first = set(result.probabilities[:30].tolist())
    assert first == set(result.probabilities.tolist())
