"""Signal and noise of checkpoints, and decisions from early ones."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.base.errors import AssayError
from assay.discrimination import measure_signal, read_scores
from assay.discrimination.boards.checkpoints import CheckpointScores, _compare_orders


def test_signal_and_noise_by_hand():
    scores = np.array([10.0, 49, 51, 20, 59, 61])
    rows = CheckpointScores("all", "d", "acc", ("a",) * 3 + ("b",) * 3, np.array([1.0, 2, 3] * 2), scores)
    found = measure_signal(rows, n_last=2)
    assert found.signal == pytest.approx(10 / 55)
    assert found.noise.value == pytest.approx(np.sqrt(2) / 55)
    assert found.ratio.value == pytest.approx(10 / np.sqrt(2))
    assert found.ratio.low < found.ratio.value < found.ratio.high
    assert [row.share for row in found.decisions] == [0.5, 0.75]
    assert found.decisions[0].accuracy.value == 1


def test_the_noise_interval_covers():
    generator = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        scores = (np.array([50.0, 55, 60])[:, None] + generator.normal(0, 1, (3, 5))).ravel()
        rows = CheckpointScores("all", "d", "acc", tuple(np.repeat(list("abc"), 5)), np.tile(np.arange(5.0), 3), scores)
        noise = measure_signal(rows).noise
        mean = scores.mean()
        hits += noise.low * mean <= 1 <= noise.high * mean
    assert 0.92 <= hits / 400 <= 0.98


def test_decision_accuracy_counts_pairs():
    assert _compare_orders(np.array([1, 2, 3, 4]), np.array([1, 2, 4, 3]))[0].mean() == pytest.approx(5 / 6)
    assert _compare_orders(np.array([1, 1]), np.array([1, 2]))[0].tolist() == [0.5]


@pytest.mark.parametrize("form", ["wide", "long"])
def test_tables_with_steps_are_read_and_the_last_step_is_ranked(form):
    generator = np.random.default_rng(1)
    steps, systems = np.tile(np.arange(1, 11) * 1000, 6), np.repeat([f"s{n}" for n in range(6)], 10)
    growth = np.repeat(np.arange(6.0), 10) * steps / 1000
    good, poor = 40 + growth / 2 + generator.normal(0, 0.2, 60), 40 + growth / 20 + generator.normal(0, 3, 60)
    if form == "wide":
        table = {"model": systems, "checkpoint": [f"step{step}" for step in steps], "good": good, "poor": poor}
    else:
        names = {"model": [*systems, *systems], "step": [*steps, *steps], "dataset": ["good"] * 60 + ["poor"] * 60}
        table = {**names, "score": [*good, *poor]}
    scores = read_scores(table)
    assert "10 checkpoints" in " ".join(scores.notes)
    assert [len(row.scores) for row in scores.measurements] == [6, 6]
    assert scores.measurements[0].scores[5] == pytest.approx(good[-1])
    measures = assay.discriminate(table, measures=True).measures[0]
    ratio = {row.dataset: row.ratio.value for row in measures.signal}
    assert ratio["good"] > 5 * ratio["poor"]
    assert measures.signal[0].decisions[-1].accuracy.value > measures.signal[1].decisions[0].accuracy.value


def test_a_checkpoint_without_a_number_is_an_error():
    table = {"model": ["a", "a", "b"], "step": ["1", "final", "1"], "x": [1, 2, 3]}
    with pytest.raises(AssayError, match="'final' is not a number of steps"):
        read_scores(table)


def test_checkpoints_that_differ_by_rounding_alone_have_no_ratio():
    scores = np.array([10.0, 0.1 + 0.2, 0.3, 20, 0.7 + 0.1, 0.8])
    rows = CheckpointScores("all", "d", "acc", ("a",) * 3 + ("b",) * 3, np.array([1.0, 2, 3] * 2), scores)
    found = measure_signal(rows, n_last=2)
    assert np.isnan(found.ratio.value)
    assert "the same score" in found.reason
