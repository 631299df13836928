"""From a ranking to probabilities."""

import numpy as np
import pytest

from assay.suspects.calibration import MODEL, VOTES, calibrate
from assay.suspects.judgements import ModelTable, judge_by_models


def draw(n: int, noise: float, error: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return confidence, whether the gold label is another, and whether it is wrong, for labels wrong at random.

    The evidence errs with probability `error` × (1 − confidence).
    """
    generator = np.random.default_rng(seed)
    confidence = generator.beta(2, 0.7, n)
    errs = generator.random(n) < error * (1 - confidence)
    bad = generator.random(n) < noise
    return confidence, errs ^ bad, bad


def test_probabilities_never_fall_as_the_order_rises():
    confidence, disagrees, _ = draw(2000, 0.03, 0.5)
    order = np.where(disagrees, confidence, -confidence)
    probabilities = calibrate(confidence, disagrees, order, VOTES).probabilities
    assert (np.diff(probabilities[np.argsort(order)]) >= 0).all()
    assert (probabilities >= 0).all()
    assert (probabilities < 1).all()


@pytest.mark.parametrize("noise", [0.03, 0.06])
def test_random_errors_are_measured_as_the_floor_of_disagreement(noise):
    confidence, disagrees, bad = draw(20_000, noise, 0.5)
    result = calibrate(confidence, disagrees, np.where(disagrees, confidence, -confidence), MODEL)
    assert result.floor == pytest.approx(noise, abs=0.01)
    top = np.argsort(-np.where(disagrees, confidence, -confidence))[:300]
    assert result.probabilities[top].mean() == pytest.approx(bad[top].mean(), abs=0.15)
    assert result.low < bad.sum() < result.high


def test_without_the_floor_the_prior_decides():
    confidence, disagrees, _ = draw(20_000, 0.06, 0.5)
    order = np.where(disagrees, confidence, -confidence)
    with_floor, without = (calibrate(confidence, disagrees, order, MODEL, use_floor=use) for use in (True, False))
    assert without.floor == 0
    assert without.expected < with_floor.expected


def test_rare_disagreement_is_more_suspicious_than_common_disagreement():
    confidence = np.ones(1000)
    rare, common = np.arange(1000) < 5, np.arange(1000) < 200
    rare, common = (
        calibrate(confidence, against, against.astype(float), VOTES).probabilities[0] for against in (rare, common)
    )
    assert rare > 0.8
    assert common < 0.2


def test_no_items_give_no_probabilities():
    nothing = np.zeros(0)
    assert calibrate(nothing, nothing.astype(bool), nothing, VOTES).expected == 0


def test_equal_confidence_is_not_divided():
    confidence = np.repeat([1.0, 0.5], [500, 500])
    disagrees = np.arange(1000) % 10 == 0
    probabilities = calibrate(confidence, disagrees, disagrees * confidence, VOTES).probabilities
    assert len(np.unique(probabilities.round(12))) <= 4


@pytest.mark.parametrize(("accuracy", "has_floor"), [(0.7, False), (0.9, True)])
def test_confident_errors_of_weak_models_say_nothing_about_wrong_labels(accuracy, has_floor):
    rng = np.random.default_rng(0)
    codes = np.arange(2000) % 2
    lead = np.clip(rng.normal(2.5, 1.0, 2000), 0.1, None) * np.where(rng.random(2000) < accuracy, 1, -1)
    own = 1 / (1 + np.exp(-lead))
    table = np.where(codes[:, None] == [0, 1], own[:, None], 1 - own[:, None])
    judged = judge_by_models([ModelTable("given", np.arange(2000), table)], codes, ["a", "b"])
    assert (judged.evidence.floor > 0) == has_floor
