"""Items with different evidence have different suspicion."""

from __future__ import annotations

import numpy as np
import pytest

from assay.suspects.combination import separate_ties


@pytest.mark.parametrize("seed", range(5))
def test_ties_are_separated_by_the_order_and_nothing_else_changes(seed):
    rng = np.random.default_rng(seed)
    levels = np.sort(rng.random(6)).round(3)
    probability = rng.choice(levels, 200)
    order = rng.choice(40, 200).astype(float)
    separated = separate_ties(probability, order)
    assert separated.sum() == pytest.approx(probability.sum())
    assert np.abs(separated - probability).max() <= 0.0005
    ranked = np.lexsort((order, probability))
    steps = np.diff(separated[ranked])
    is_same = (np.diff(probability[ranked]) == 0) & (np.diff(order[ranked]) == 0)
    assert (steps[~is_same] > 0).all()
    assert np.abs(steps[is_same]).max(initial=0) < 1e-12


def test_items_without_evidence_stay_without():
    assert np.isnan(separate_ties(np.full(3, np.nan), np.zeros(3))).all()
