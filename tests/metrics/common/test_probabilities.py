from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

LABELS = ["a", "b", "c"]


def test_probabilities_are_scored_as_in_scikit_learn(score):
    generator = np.random.default_rng(0)
    gold = generator.choice(LABELS, size=200)
    shares = generator.dirichlet([1, 1, 1], size=200)
    columns = {label: shares[:, number] for number, label in enumerate(LABELS)}
    predicted = [LABELS[number] for number in shares.argmax(axis=1)]
    truth = np.array([[label == name for name in LABELS] for label in gold])
    assert score("log-loss", gold, predicted, probabilities=columns).value == pytest.approx(sk.log_loss(gold, shares))
    brier = ((shares - truth) ** 2).sum(axis=1).mean()
    assert score("brier", gold, predicted, probabilities=columns).value == pytest.approx(brier)


def test_two_classes_have_half_the_brier_score_as_in_scikit_learn(score):
    generator = np.random.default_rng(0)
    gold, share = generator.integers(2, size=100), generator.random(100)
    columns = {"0": 1 - share, "1": share}
    brier = score("brier", gold, (share > 0.5).astype(int), probabilities=columns).value
    assert brier == pytest.approx(sk.brier_score_loss(gold, share))


def test_calibration_error_counted_by_hand(score):
    # Two items at 0.95, one right: |0.95 − 0.5|; two at 0.65, both right: |0.65 − 1|.
    columns = {"a": [0.95, 0.95, 0.65, 0.65], "b": [0.05, 0.05, 0.35, 0.35]}
    error = score("calibration-error", ["a", "b", "a", "a"], ["a", "a", "a", "a"], probabilities=columns)
    assert error.value == pytest.approx((0.45 + 0.35) / 2)


def test_items_without_probabilities_do_not_count(score):
    columns = {"a": [0.5, np.nan], "b": [0.5, np.nan]}
    loss = score("log-loss", ["a", "b"], ["a", "a"], probabilities=columns)
    assert (loss.value, loss.n) == (pytest.approx(np.log(2)), 1)
