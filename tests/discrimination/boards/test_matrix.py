"""Dimensions, predicted cells, agreement and one scale of a table of systems and datasets."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau

import assay
from assay.discrimination import fit_common_scale, measure_agreement, read_scores
from assay.discrimination.boards.completion import measure_completion
from assay.discrimination.boards.logits import tabulate_logits, to_percent
from assay.discrimination.boards.matrix_rank import measure_matrix_rank


def make_scores(n_systems: int, n_datasets: int, noise: float, rank: int = 1, seed: int = 0) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    abilities = generator.normal(size=(n_systems, rank))
    loadings = generator.uniform(0.5, 1.5, size=(n_datasets, rank)) * np.sign(generator.normal(size=(n_datasets, rank)))
    loadings[:, 0] = np.abs(loadings[:, 0])
    logits = (
        abilities @ loadings.T
        + generator.normal(size=n_datasets)
        + noise * generator.normal(size=(n_systems, n_datasets))
    )
    columns = {f"d{column}": to_percent(logits[:, column]) for column in range(n_datasets)}
    return pl.DataFrame({"system": [f"s{row}" for row in range(n_systems)], **columns})


def test_one_ability_has_rank_one_and_a_scale_in_its_order():
    frame = make_scores(40, 12, 0.0)
    table = tabulate_logits(read_scores(frame).measurements)
    rank = measure_matrix_rank(table)
    assert rank.effective_rank.value == pytest.approx(1, abs=0.05)
    assert rank.n_components == 1
    scale = fit_common_scale(table)
    order = [row.system for row in scale.systems]
    best = frame.sort("d0", descending=True)["system"].to_list()
    assert order == best
    assert scale.explained == pytest.approx(1, abs=0.02)


def test_two_abilities_are_counted_and_noise_is_not():
    assert (
        measure_matrix_rank(tabulate_logits(read_scores(make_scores(150, 12, 0.2, 2)).measurements)).n_components == 2
    )
    generator = np.random.default_rng(1)
    noise = pl.DataFrame(
        {"system": [f"s{n}" for n in range(100)]} | {f"d{n}": generator.uniform(20, 80, 100) for n in range(10)}
    )
    rank = measure_matrix_rank(tabulate_logits(read_scores(noise).measurements))
    assert rank.n_components <= 1
    assert rank.effective_rank.value > 8


def test_effective_rank_of_two_uncorrelated_blocks_is_two():
    x = np.array([1.0, 1, -1, -1, 1, 1, -1, -1])
    y = np.array([1.0, -1, 1, -1, 1, -1, 1, -1])
    columns = {"a": 50 + x, "b": 50 + 2 * x, "c": 50 + y, "d": 50 + 3 * y}
    table = tabulate_logits(read_scores({"system": list("abcdefgh"), **columns}).measurements)
    assert measure_matrix_rank(table).effective_rank.value == pytest.approx(2, abs=1e-6)


def test_hidden_cells_of_one_ability_are_predicted_and_those_of_noise_are_not():
    found = measure_completion(tabulate_logits(read_scores(make_scores(60, 12, 0.1)).measurements))
    assert found.gain > 0.7
    assert found.new_systems.value < 0.4 * found.new_systems_by_means.value
    generator = np.random.default_rng(2)
    noise = {"system": [f"s{n}" for n in range(60)]} | {f"d{n}": generator.uniform(20, 80, 60) for n in range(12)}
    assert measure_completion(tabulate_logits(read_scores(noise).measurements)).gain < 0.05


def test_the_mean_of_columns_is_the_error_of_rank_zero():
    values = {"system": [f"s{n}" for n in range(10)], **{f"d{n}": [40.0] * 5 + [60.0] * 5 for n in range(3)}}
    found = measure_completion(tabulate_logits(read_scores(values).measurements))
    assert found.errors[0].error.value == pytest.approx(10, abs=1.5)  # means of the visible cells are near 50
    assert found.errors[1].error.value < 3


def test_agreement_is_kendalls_tau_with_the_mean_of_the_others():
    frame = make_scores(30, 4, 0.8, seed=3)
    rows = measure_agreement(read_scores(frame).measurements)
    z = np.stack([(frame[name] - frame[name].mean()) / frame[name].std(ddof=0) for name in frame.columns[1:]], axis=1)
    for column, row in enumerate(rows):
        others = np.delete(z, column, axis=1)
        assert row.tau.value == pytest.approx(kendalltau(z[:, column], others.mean(axis=1)).statistic)
        pairs = [kendalltau(z[:, column], other).statistic for other in others.T]
        assert row.mean_tau == pytest.approx(np.mean(pairs))
        assert row.tau.low < row.tau.value < row.tau.high


def test_lower_is_better_counts_with_its_sign():
    scores = {"system": list("abcdefghij"), "acc": list(range(50, 60)), "error rate": list(range(50, 40, -1))}
    assert measure_agreement(read_scores(scores).measurements)[1].tau.value == pytest.approx(1)


def test_spread_is_that_of_pairs_more_than_a_point_apart():
    scores = {"system": list("abc"), "x": [50.0, 50.5, 60.0], "y": [1.0, 2, 3]}
    row = measure_agreement(read_scores(scores).measurements)[0]
    values = np.array([50.0, 50.5, 60.0])
    assert row.spread == pytest.approx(values.std(ddof=1) / values.mean() * np.sqrt(2 / 3))


def test_small_tables_give_a_reason():
    table = tabulate_logits(read_scores({"system": ["a", "b"], "x": [1, 2], "y": [2, 1], "z": [3, 4]}).measurements)
    assert "at least 8" in measure_completion(table).reason
    assert "at least 8" in measure_matrix_rank(table).reason
    assert fit_common_scale(table).systems == ()


def test_abilities_do_not_depend_on_datasets_that_a_system_lacks():
    frame = make_scores(40, 12, 0.2, seed=5)
    names = [f"d{n}" for n in range(5)]
    holes = frame.with_columns(pl.when(pl.col("system") != "s3").then(pl.col(names)))
    full = {row.system: row for row in fit_common_scale(tabulate_logits(read_scores(frame).measurements)).systems}
    part = {row.system: row for row in fit_common_scale(tabulate_logits(read_scores(holes).measurements)).systems}
    assert part["s3"].n_datasets == 7
    assert part["s3"].ability.value == pytest.approx(full["s3"].ability.value, abs=0.35)


def test_chemistry_hardly_agrees_with_the_rest_of_mmlu(shared):
    frame = pl.read_csv(shared("leaderboards/leaderboards.tsv.gz"), separator="\t", quote_char=None)
    mmlu = frame.filter(pl.col("benchmark") == "MMLU").drop("source")
    rows = {row.dataset: row for row in measure_agreement(read_scores(mmlu).measurements)}
    assert rows["college_chemistry"].tau.value == pytest.approx(0.05, abs=0.005)
    assert rows["college_chemistry"].tau.high < 0.2
    assert max(row.tau.value for row in rows.values()) > 0.7
    audit = assay.audit(scores=mmlu, only=["leaderboard"])
    finding = next(finding for finding in audit.findings if finding.code == "A521")
    assert "college_chemistry" in finding.claim
