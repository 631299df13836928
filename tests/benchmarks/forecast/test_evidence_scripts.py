"""What puts the evidence together: features measured once, trainings compared, noise turned into ceilings."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.forecast import read_evidence, read_evidence_note
from assay.forecast.evidence import SeedGap

sys.path.insert(0, str(Path(__file__).parents[3]))
from benchmarks.evidence_features import completed
from benchmarks.evidence_noise import ceiling, deviations, list_scores
from benchmarks.evidence_parents import PARENTS, PIECES
from benchmarks.evidence_table import repeated, scored, seeds_of

SYSTEMS = ("cnn", "lstm", "lstm-attention", "transformer")


def measured(calls):
    def measure(name, n_pieces, known):
        calls.append(name)
        ids = [f"{name}-{number:03d}" for number in range(n_pieces)]
        return [{"id": id_, "value": float(len(calls))} for id_ in ids if id_ not in known]

    return measure


def test_only_missing_sub_datasets_are_measured(tmp_path):
    target, calls = tmp_path / "mr.features.parquet", []
    pl.DataFrame({"id": ["mr-001"], "value": [9.0]}).write_parquet(target)
    assert completed(target, measured(calls), 3, "mr") == 2
    assert pl.read_parquet(target).to_dict(as_series=False) == {
        "id": ["mr-000", "mr-001", "mr-002"],
        "value": [1.0, 9.0, 1.0],
    }
    assert completed(target, measured(calls), 3, "mr") == 0
    assert calls == ["mr"]


def answers(gaps):
    """Return trainings of one sub-dataset whose scores lie the given points above 50."""
    found = {}
    for seed, gap in gaps.items():
        right = np.arange(100) < 50 + gap
        found |= {f"mr-000|{system}|{seed}": {"right": right} for system in SYSTEMS}
    return found


def test_trainings_are_averaged_over_the_seeds_that_have_all_four_models():
    results = answers({"0": 0, "1": 4, "2": 30})
    del results["mr-000|cnn|2"]
    seeds = seeds_of(results, "mr-000")
    assert seeds == ["0", "1"]
    found = scored(results, "mr-000", seeds)
    assert (found["n_trainings"], found["cnn"]) == (2, pytest.approx(52.0))


def test_gaps_are_told_by_model():
    found = repeated(answers({"0": 0, "1": 4}), "0", "1")
    assert set(found) == set(SYSTEMS)
    assert found["lstm"] == pytest.approx({"n": 1, "mean_gap": 4.0, "largest_gap": 4.0})


def test_the_mean_gap_of_normal_noise_gives_its_deviation():
    drawn = np.random.default_rng(1).normal(0, 2, (2, 20_000))
    gap = float(np.abs(drawn[0] - drawn[1]).mean())
    assert deviations({"lstm-attention": SeedGap(1, gap, gap)}, ("lstm_attention",)) == pytest.approx([2.0], rel=0.02)


def test_the_ceiling_is_the_correlation_of_a_perfect_predictor():
    draw = np.random.default_rng(2)
    truth = draw.normal(size=20_000)
    seen = truth + 0.5 * draw.normal(size=len(truth))
    again = seen + 0.5 * draw.normal(size=len(truth))
    assert ceiling(seen, again) == pytest.approx(np.corrcoef(truth, seen)[0, 1], abs=0.02)


def test_lists_ranked_by_lambda_without_noise_are_perfect():
    values = np.random.default_rng(3).exponential(3, 200)
    assert list_scores(values, values, 3.0) == pytest.approx((1.0, 1.0))
    assert max(list_scores(values, values[::-1], 3.0)) < 0.95


def test_every_model_was_trained_again_with_its_seed_and_with_another():
    note, table = read_evidence_note(), read_evidence().table
    assert {name: gap.n for name, gap in note.same_seed_again.items()} == dict.fromkeys(SYSTEMS, 10)
    # The gaps were measured on the first 17 parents; those added later have fewer pieces.
    first = table.filter(pl.col("parent").is_in([parent.name for parent in PARENTS if parent.n_pieces == PIECES]))
    assert min(gap.n for gap in note.second_seed.values()) == first.filter(pl.col("n_trainings") == 2).height
    assert set(table["n_trainings"].to_list()) <= {1, 2}
    assert table.filter(pl.col("apart_var_1").is_nan())["n_trainings"].unique().to_list() in ([], [1])
