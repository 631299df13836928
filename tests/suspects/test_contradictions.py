"""Contradictions of labels of which a model is sure, with wrong labels and without."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.suspects.shares.contradictions import (
    MIN_KAPPA,
    MIN_KAPPA_OF_ALL,
    MIN_WRONG_SHARE,
    measure_contradictions,
)
from assay.suspects.text_models import predict_out_of_fold


def simulate(seed, wrong_share, n=800, n_labels=3, slope=1.6):
    """Return probabilities of a model whose errors fall with its confidence, and labels of which some are wrong."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(n_labels, size=n)
    confidence = generator.gamma(2.0, 1.0, size=n)
    wrong_answer = generator.random(n) < (1 - 1 / n_labels) / (1 + np.exp(slope * confidence - 0.7))
    answer = (truth + wrong_answer * generator.integers(1, n_labels, size=n)) % n_labels
    second = (answer + 1) % n_labels
    table = np.full((n, n_labels), 0.01)
    table[np.arange(n), answer] = np.exp(confidence)
    table[np.arange(n), second] = 1.0
    flipped = generator.random(n) < wrong_share
    codes = (truth + flipped * generator.integers(1, n_labels, size=n)) % n_labels
    return table / table.sum(axis=1, keepdims=True), codes


def test_right_labels_need_no_wrong_ones():
    shares = [measure_contradictions(*simulate(seed, 0.0)).wrong_share for seed in range(20)]
    assert sum(share.low > 0 for share in shares) <= 3
    assert not any(share.low >= MIN_WRONG_SHARE for share in shares)


@pytest.mark.parametrize("wrong_share", [0.05, 0.1])
def test_the_interval_holds_the_share_of_wrong_labels(wrong_share):
    found = [measure_contradictions(*simulate(seed, wrong_share)) for seed in range(20)]
    assert sum(row.wrong_share.low <= wrong_share <= row.wrong_share.high for row in found) >= 15
    assert abs(np.mean([row.wrong_share.value for row in found]) - wrong_share) < 0.01
    assert all(row.n_contradicted > row.n_expected for row in found)
    assert sum(row.is_decisive for row in found) >= (18 if wrong_share == 0.1 else 10)


def test_counts_are_those_of_the_fifth_with_the_most_confidence():
    table, codes = simulate(1, 0.05, n=400)
    top = np.sort(table, axis=1)
    sure = np.argsort(np.log(top[:, -1] / top[:, -2]))[-80:]
    found = measure_contradictions(table, codes)
    assert (found.n_sure, found.n_contradicted) == (80, (table[sure].argmax(axis=1) != codes[sure]).sum())


def test_a_model_that_knows_little_and_few_items_say_nothing():
    table, codes = simulate(2, 0.0)
    assert measure_contradictions(table, np.random.default_rng(0).permutation(codes)) is None
    assert measure_contradictions(table[:100], codes[:100]) is None


def test_a_hundred_thousand_items_take_bins():
    table, codes = simulate(3, 0.04, n=100_000)
    share = measure_contradictions(table, codes).wrong_share
    assert share.low <= 0.04 + 0.003
    assert share.high >= 0.04 - 0.003


def test_a_model_of_moderate_agreement_says_nothing_about_right_labels(shared):
    """Short reviews with irony: of the 38 labels of which the model is sure and that it contradicts, few are wrong."""
    data = assay.read(shared("mr")).fill_texts()
    data = data.take(np.sort(np.random.default_rng(8100).permutation(len(data))[:1500]))
    models = predict_out_of_fold(data)
    codes = np.array([models.labels.index(label) for label in data.labels.gather(models.rows).to_list()])
    assert MIN_KAPPA_OF_ALL < (models.probabilities.argmax(axis=1) == codes).mean() * 2 - 1 < MIN_KAPPA
    assert measure_contradictions(models.probabilities, codes) is None
