"""Items with different evidence have different suspicion."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.suspects.combination import combine, separate_ties
from assay.suspects.judgements import Judgement
from assay.suspects.results import LabelEvidence


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


def make_opinion(name: str, probability: list[float], order: list[float]) -> Judgement:
    n = len(probability)
    return Judgement(
        LabelEvidence(name, n, 0, ""),
        np.array(probability),
        np.array(order),
        pl.Series([None] * n, dtype=pl.String),
        lambda row: "",
    )


def test_ties_between_items_of_different_evidence_are_decided_by_their_place_in_their_own_evidence():
    """Shares of votes are at most 1, and minus the logarithm of a probability is up to 14: only places are compared."""
    nan, none = np.nan, -np.inf
    votes = make_opinion("systems", [0.3, 0.3, 0.3, nan, nan, nan], [0.9, 0.1, -0.5, none, none, none])
    models = make_opinion("text models", [nan, nan, nan, 0.3, 0.3, 0.3], [none, none, none, 12.0, 5.0, 2.0])
    combined = combine([votes, models])
    suspicion = separate_ties(combined.probability, combined.order)
    assert suspicion[0] == suspicion[3] > suspicion[1] == suspicion[4] > suspicion[2] == suspicion[5]


def test_ties_of_one_kind_of_evidence_are_decided_by_the_other_kind():
    votes = make_opinion("systems", [0.3, 0.3, 0.1, 0.1], [0.5, 0.5, 0.0, 0.0])
    models = make_opinion("text models", [0.6, 0.1, 0.1, 0.2], [3.0, 1.0, 1.0, 2.0])
    combined = combine([votes, models])
    assert combined.probability[0] > combined.probability[1] > combined.probability[3] > combined.probability[2]
