"""Bad items as on reviewed benchmarks."""

import numpy as np
import pytest

from assay.suspects import learned
from assay.suspects.shares.reviewed import spread_reviewed


@pytest.mark.parametrize("seed", range(5))
def test_chances_never_fall_with_doubt_and_count_no_more_than_elsewhere(seed):
    rng = np.random.default_rng(seed)
    doubt = np.round(np.clip(rng.normal(-0.8, rng.uniform(0.1, 0.6), 800), -1, 1), 1)
    chance = spread_reviewed(doubt)
    assert (np.diff(chance[np.argsort(doubt, kind="stable")]) >= 0).all()
    assert chance.sum() <= learned.REVIEWED_BAD[0] * 800 + 1e-9
    assert (chance[doubt < learned.REVIEWED_DOUBTS[0]] == 0).all()


def test_few_contradictions_are_worse_than_many():
    few, many = (np.where(np.arange(1000) < n, 0.9, -1.0) for n in (20, 200))
    assert spread_reviewed(few)[0] > 3 * spread_reviewed(many)[0]
    assert not spread_reviewed(np.full(100, -1.0)).any()


@pytest.mark.parametrize("seed", range(5))
def test_an_item_with_more_doubt_never_gets_a_lower_chance_by_its_own_move(seed):
    rng = np.random.default_rng(seed)
    doubt = np.clip(rng.normal(-0.6, 0.5, 600), -1, 1)
    before = spread_reviewed(doubt)
    for row in range(0, 600, 11):
        moved = doubt.copy()
        moved[row] = rng.uniform(doubt[row], 1)
        assert spread_reviewed(moved)[row] >= before[row] - 1e-12


def test_a_little_more_doubt_about_all_items_changes_chances_a_little():
    doubt = np.clip(np.random.default_rng(0).normal(-0.6, 0.5, 600), -1, 0.99)
    is_judged = doubt > learned.REVIEWED_DOUBTS[0]
    change = spread_reviewed(doubt + 0.001) - spread_reviewed(doubt)
    assert np.abs(change[is_judged]).max() < 0.01
