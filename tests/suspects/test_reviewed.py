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
